/**
 * Pictures of typegrad graphs: the horizontal places of boxes and bends whose order within their ranks is known.
 */
(() => {
  "use strict";
  const typegradGraph = (globalThis.typegradGraph ??= {});

  const COLUMN_GAP = 28;
  const BEND_GAP = 12;
  const BUNDLE_GAP = 4; // between bends of wires that lead to the same box
  const PORT_GAP = 18;

  /**
   * The positions nearest to `preferred` (least squares with `weights`) where each is at least `gaps[i]` right of the one
   * before: isotonic regression, by merging neighbours that violate the order.
   */
  function place(preferred, weights, gaps) {
    const blocks = []; // of merged entities: their mean position, total weight and first index
    let shift = 0;
    const shifts = preferred.map((_, i) => (shift += i ? gaps[i] : 0));
    preferred.forEach((target, i) => {
      let block = { mean: target - shifts[i], weight: weights[i], first: i };
      while (blocks.length > 0 && blocks[blocks.length - 1].mean > block.mean) {
        const left = blocks.pop();
        const weight = left.weight + block.weight;
        block = { mean: (left.mean * left.weight + block.mean * block.weight) / weight, weight, first: left.first };
      }
      blocks.push(block);
    });
    const placed = new Array(preferred.length);
    blocks.forEach((block, k) => {
      const end = k + 1 < blocks.length ? blocks[k + 1].first : preferred.length;
      for (let i = block.first; i < end; i++) placed[i] = block.mean + shifts[i];
    });
    return placed;
  }

  /** Where hops enter their sinks, as offsets from the middle: given, or spread in the order of what they come from. */
  function entryOffsets(wires, boxes, hops, rank, position) {
    const offsets = new Float64Array(hops.length);
    const arriving = new Map();
    hops.forEach((hop, i) => {
      if (hop.sink < 0) return;
      const { to, toOffset } = wires[hop.wire].sinks[hop.sink];
      if (toOffset !== null) offsets[i] = toOffset;
      else if (arriving.has(to)) arriving.get(to).push(i);
      else arriving.set(to, [i]);
    });
    const side = (i) => {
      const { a, b, isLong } = hops[i];
      if (!isLong) return position[a];
      return position[a] < position[b] && rank[a] === rank[b] ? -1 : Infinity;
    };
    for (const [to, list] of arriving) {
      list.sort((p, q) => side(p) - side(q) || p - q);
      const step = Math.min(PORT_GAP, (boxes[to].width - 24) / Math.max(1, list.length - 1));
      list.forEach((hop, i) => (offsets[hop] = (i - (list.length - 1) / 2) * step));
    }
    return offsets;
  }

  /** For each bend the lowest box that its wire leads to. */
  function bendGoals(boxCount, wires, hops, rank) {
    const lower = (p, q) => (rank[q] > rank[p] ? q : p);
    const lowest = wires.map(({ sinks }) => sinks.map((sink) => sink.to).reduce(lower));
    return new Map(hops.filter(({ b }) => b >= boxCount).map(({ wire, b }) => [b, lowest[wire]]));
  }

  /** The horizontal middle of every box and bend: sweeps draw each to its neighbours, bends more than boxes. */
  function columns(boxes, wires, hops, rank, layers, entry) {
    const goals = bendGoals(boxes.length, wires, hops, rank);
    const gap = (p, q) => {
      if (p < boxes.length || q < boxes.length) return (boxes[p]?.right ?? 0) + (boxes[q]?.left ?? 0) + COLUMN_GAP;
      return goals.get(p) === goals.get(q) ? BUNDLE_GAP : BEND_GAP;
    };
    const gapsOf = layers.map((layer) => layer.map((entity, i) => (i === 0 ? 0 : gap(layer[i - 1], entity))));
    const count = layers.reduce((sum, layer) => sum + layer.length, 0);
    const none = () => Array.from({ length: count }, () => []);
    const links = { above: none(), below: none() };
    hops.forEach((hop, i) => {
      if (hop.isLong) return;
      const { upper, lower } = hop;
      const start = upper < boxes.length ? wires[hop.wire].fromOffset : 0;
      const weight = [1, 2, 8][(upper >= boxes.length) + (lower >= boxes.length)];
      links.below[upper].push({ other: lower, shift: entry[i] - start, weight });
      links.above[lower].push({ other: upper, shift: start - entry[i], weight });
    });
    for (const { turn, a, b } of hops) {
      if (!turn) continue;
      const [box, bend] = turn === "below" ? [a, b] : [b, a]; // of one rank
      for (const side of [links.above, links.below]) side[bend].push({ other: box, shift: 0, weight: 0.5 });
    }
    const x = new Float64Array(count);
    layers.forEach((layer, r) => {
      let at = 0;
      layer.forEach((entity, i) => (x[entity] = at += gapsOf[r][i]));
      layer.forEach((entity) => (x[entity] -= at / 2));
    });
    const settle = (r, linked) => {
      const weights = [];
      const preferred = layers[r].map((entity) => {
        let [sum, weight] = [x[entity] * 0.05, 0.05];
        for (const link of linked(entity)) {
          sum += (x[link.other] + link.shift) * link.weight;
          weight += link.weight;
        }
        weights.push(weight);
        return sum / weight;
      });
      place(preferred, weights, gapsOf[r]).forEach((at, i) => (x[layers[r][i]] = at));
    };
    const rounds = count < 1500 ? 24 : 4;
    for (let round = 0; round < rounds; round++) {
      for (let r = 1; r < layers.length; r++) settle(r, (entity) => links.above[entity]);
      for (let r = layers.length - 2; r >= 0; r--) settle(r, (entity) => links.below[entity]);
    }
    const both = (entity) => links.above[entity].concat(links.below[entity]);
    for (let round = 0; round < 3; round++) for (let r = 0; r < layers.length; r++) settle(r, both);
    layers.forEach((layer, r) => straighten(layer, gapsOf[r], x, boxes.length, links.above));
    return x;
  }

  /** Move the bends of a rank below what they come from, as far as their neighbours leave room. */
  function straighten(layer, gaps, x, boxCount, above) {
    const preferred = (entity) => x[above[entity][0].other] + above[entity][0].shift;
    const isBend = (entity) => entity >= boxCount && above[entity].length > 0;
    for (let i = layer.length - 1; i >= 0; i--) {
      if (!isBend(layer[i])) continue;
      const limit = i + 1 < layer.length ? x[layer[i + 1]] - gaps[i + 1] : Infinity;
      x[layer[i]] = Math.max(x[layer[i]], Math.min(preferred(layer[i]), limit));
    }
    for (let i = 0; i < layer.length; i++) {
      if (!isBend(layer[i])) continue;
      const limit = i > 0 ? x[layer[i - 1]] + gaps[i] : -Infinity;
      x[layer[i]] = Math.min(x[layer[i]], Math.max(preferred(layer[i]), limit));
    }
  }

  typegradGraph.columns = { PORT_GAP, place, entryOffsets, columns };
})();
