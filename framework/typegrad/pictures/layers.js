/**
 * Pictures of typegrad graphs: the layered drawing of one connected graph (Sugiyama's method), as pure functions of numbers.
 *
 * Boxes stand in ranks, from top to bottom; a wire leads from a box to boxes of later ranks, over bends in the ranks
 * between. All steps are linear or n log n in the number of boxes, bends and hops.
 */
(() => {
  "use strict";
  const typegradGraph = (globalThis.typegradGraph ??= {});

  /** Where a box must stand: anywhere, at the upper or at the lower border. */
  const FREE = 0;
  const TOP = 1;
  const BOTTOM = 2;

  const COLUMN_GAP = 28;
  const BEND_GAP = 12;
  const BUNDLE_GAP = 4; // between bends of wires that lead to the same box
  const RANK_GAP = 58;
  const BORDER_GAP = 22; // between the upper border and the first boxes
  const EXIT_GAP = 38; // between the last boxes and the lower border
  const STUB = 22; // how far wires go straight down from a rank: there stand their labels
  const PORT_GAP = 18;

  /** For each of `count` keys the indices of `keys` that have it, one after the other in `list` from `start[key]`. */
  function grouped(count, keys) {
    const start = new Int32Array(count + 1);
    for (const key of keys) start[key + 1]++;
    for (let i = 0; i < count; i++) start[i + 1] += start[i];
    const next = start.slice(0, count);
    const list = new Int32Array(keys.length);
    keys.forEach((key, i) => (list[next[key]++] = i));
    return { start, list };
  }

  /** Which edges close a cycle, found by a depth-first walk: without them the rest has an order. */
  function backEdges(count, from, to) {
    const out = grouped(count, from);
    const isBack = new Uint8Array(from.length);
    const state = new Uint8Array(count); // 0: not seen, 1: on the current path, 2: done
    const next = out.start.slice(0, count);
    for (let root = 0; root < count; root++) {
      if (state[root] !== 0) continue;
      const path = [root];
      state[root] = 1;
      while (path.length > 0) {
        const at = path[path.length - 1];
        if (next[at] === out.start[at + 1]) {
          state[at] = 2;
          path.pop();
          continue;
        }
        const edge = out.list[next[at]++];
        if (state[to[edge]] === 1) isBack[edge] = 1;
        else if (state[to[edge]] === 0) {
          state[to[edge]] = 1;
          path.push(to[edge]);
        }
      }
    }
    return isBack;
  }

  /** The boxes in an order in which every edge leads forward. */
  function sorted(count, from, to, isBack) {
    const out = grouped(count, from);
    const missing = new Int32Array(count);
    to.forEach((box, edge) => (missing[box] += isBack[edge] ? 0 : 1));
    const order = [];
    for (let box = 0; box < count; box++) if (missing[box] === 0) order.push(box);
    for (let i = 0; i < order.length; i++) {
      for (let k = out.start[order[i]]; k < out.start[order[i] + 1]; k++) {
        const edge = out.list[k];
        if (!isBack[edge] && --missing[to[edge]] === 0) order.push(to[edge]);
      }
    }
    return order;
  }

  /**
   * The rank of each box: the length of the longest path to it; then boxes that feed more than they take move down
   * to what they feed, which keeps wires short.
   */
  function rankBoxes(pins, from, to, isBack) {
    const count = pins.length;
    const order = sorted(count, from, to, isBack);
    const out = grouped(count, from);
    const rank = new Int32Array(count);
    const first = pins.includes(TOP) ? 1 : 0;
    const balance = new Int32Array(count);
    for (const box of order) {
      if (pins[box] !== TOP) rank[box] = Math.max(rank[box], first);
      for (let k = out.start[box]; k < out.start[box + 1]; k++) {
        const edge = out.list[k];
        if (isBack[edge]) continue;
        rank[to[edge]] = Math.max(rank[to[edge]], rank[box] + 1);
        balance[box]++;
        balance[to[edge]]--;
      }
    }
    const last = order.reduce((most, box) => Math.max(most, pins[box] === BOTTOM ? 0 : rank[box] + 1), 0);
    for (const box of order.reverse()) {
      if (pins[box] === BOTTOM) rank[box] = last;
      else if (pins[box] === FREE && balance[box] > 0) {
        let low = Infinity;
        for (let k = out.start[box]; k < out.start[box + 1]; k++) {
          if (!isBack[out.list[k]]) low = Math.min(low, rank[to[out.list[k]]] - 1);
        }
        rank[box] = low;
      }
    }
    return rank;
  }

  /**
   * Split wires into hops between neighbouring ranks. The sinks of a wire share its bends. Bends are made for the
   * shortest wires first and end when there are many: what is left hops over several ranks at once.
   *
   * @returns {{rank: number[], hops: object[]}} the ranks of boxes and bends, and hops
   *   `{wire, sink, parent, a, b, isLong, isBack}` from entity `a` to `b`; `sink`: which of the wire's sinks, or -1
   */
  function makeHops(wires, boxRank, isBackTie) {
    const rank = Array.from(boxRank);
    const hops = [];
    let budget = 3 * boxRank.length + 3000;
    const reach = wires.map((wire, w) =>
      wire.sinks.reduce((most, sink, s) => (isBackTie[w][s] ? most : Math.max(most, boxRank[sink.to])), 0),
    );
    const byLength = wires.map((_, w) => w).sort((p, q) => reach[p] - boxRank[wires[p].from] - (reach[q] - boxRank[wires[q].from]));
    for (const w of byLength) {
      const { from, sinks } = wires[w];
      const bends = Math.min(Math.max(0, reach[w] - boxRank[from] - 1), Math.max(8, budget));
      budget -= bends;
      const trunk = [null]; // the hop that leads to the bend of each rank below the source
      for (let i = 1; i <= bends; i++) {
        const parent = trunk[i - 1];
        const hop = { wire: w, sink: -1, parent, a: parent ? parent.b : from, b: rank.length, isLong: false, isBack: false };
        rank.push(boxRank[from] + i);
        trunk.push(hop);
        hops.push(hop);
      }
      sinks.forEach((sink, s) => {
        const isBack = isBackTie[w][s];
        const steps = boxRank[sink.to] - boxRank[from] - 1;
        const parent = isBack ? null : trunk[Math.min(steps, bends)];
        hops.push({ wire: w, sink: s, parent, a: parent ? parent.b : from, b: sink.to, isLong: isBack || steps > bends, isBack });
      });
    }
    return { rank, hops };
  }

  // Order within the ranks

  /** The entities of each rank as a depth-first walk along the hops finds them: what belongs together stands together. */
  function firstOrder(rank, below) {
    const layers = Array.from({ length: rank.reduce((a, b) => Math.max(a, b), 0) + 1 }, () => []);
    const isSeen = new Uint8Array(rank.length);
    const byRank = rank.map((_, entity) => entity).sort((p, q) => rank[p] - rank[q] || p - q);
    for (const root of byRank) {
      const waiting = [root];
      while (waiting.length > 0) {
        const entity = waiting.pop();
        if (isSeen[entity]) continue;
        isSeen[entity] = 1;
        layers[rank[entity]].push(entity);
        for (let i = below[entity].length - 1; i >= 0; i--) waiting.push(below[entity][i]);
      }
    }
    return layers;
  }

  /** How many pairs of hops cross between two neighbouring ranks, counted with a binary indexed tree. */
  function crossingsBetween(upper, lowerSize, below, position) {
    const tree = new Int32Array(lowerSize + 1);
    let crossings = 0;
    let total = 0;
    for (const entity of upper) {
      const ends = below[entity].map((each) => position[each]).sort((a, b) => a - b);
      for (const end of ends) {
        let atMost = 0;
        for (let i = end + 1; i > 0; i -= i & -i) atMost += tree[i];
        crossings += total - atMost;
      }
      for (const end of ends) {
        total++;
        for (let i = end + 1; i <= lowerSize; i += i & -i) tree[i]++;
      }
    }
    return crossings;
  }

  const countCrossings = (layers, below, position) =>
    layers.reduce((sum, layer, r) => sum + (r + 1 < layers.length ? crossingsBetween(layer, layers[r + 1].length, below, position) : 0), 0);

  /** Sort a rank by the mean position of each entity's neighbours in the rank beside it. */
  function sortByNeighbours(layer, neighbours, position, otherSize) {
    const scale = otherSize / Math.max(1, layer.length);
    const key = new Map();
    layer.forEach((entity, i) => {
      const near = neighbours[entity];
      key.set(entity, near.length ? near.reduce((sum, each) => sum + position[each], 0) / near.length : i * scale);
    });
    layer.sort((p, q) => key.get(p) - key.get(q) || position[p] - position[q]);
    layer.forEach((entity, i) => (position[entity] = i));
  }

  /** Exchange neighbours in their rank while that removes crossings. */
  function exchange(layers, above, below, position) {
    const pairCrossings = (p, q, neighbours) => {
      let sum = 0;
      for (const a of neighbours[p]) for (const b of neighbours[q]) sum += position[a] > position[b] ? 1 : 0;
      return sum;
    };
    for (const layer of layers) {
      for (let i = 0; i + 1 < layer.length; i++) {
        const [p, q] = [layer[i], layer[i + 1]];
        const now = pairCrossings(p, q, above) + pairCrossings(p, q, below);
        const then = pairCrossings(q, p, above) + pairCrossings(q, p, below);
        if (then >= now) continue;
        [layer[i], layer[i + 1], position[p], position[q]] = [q, p, position[q], position[p]];
      }
    }
  }

  /** The entities of each rank from left to right, with few crossings: barycenter sweeps down and up, the best kept. */
  function orderRanks(rank, hops) {
    const above = rank.map(() => []);
    const below = rank.map(() => []);
    for (const { a, b, isLong } of hops) {
      if (isLong) continue;
      below[a].push(b);
      above[b].push(a);
    }
    let layers = firstOrder(rank, below);
    const position = new Int32Array(rank.length);
    for (const layer of layers) layer.forEach((entity, i) => (position[entity] = i));
    let best = layers.map((layer) => layer.slice());
    let fewest = countCrossings(layers, below, position);
    const sweeps = rank.length < 1500 ? 16 : 6;
    for (let sweep = 0; sweep < sweeps && fewest > 0; sweep++) {
      if (sweep % 2 === 0) for (let r = 1; r < layers.length; r++) sortByNeighbours(layers[r], above, position, layers[r - 1].length);
      else for (let r = layers.length - 2; r >= 0; r--) sortByNeighbours(layers[r], below, position, layers[r + 1].length);
      if (rank.length < 600) exchange(layers, above, below, position);
      const crossings = countCrossings(layers, below, position);
      if (crossings < fewest) {
        fewest = crossings;
        best = layers.map((layer) => layer.slice());
      }
    }
    layers = best;
    for (const layer of layers) layer.forEach((entity, i) => (position[entity] = i));
    return { layers, position };
  }

  // Coordinates

  /**
   * The positions nearest to `wanted` (least squares with `weights`) where each is at least `gaps[i]` right of the one
   * before: isotonic regression, by merging neighbours that violate the order.
   */
  function place(wanted, weights, gaps) {
    const blocks = []; // of merged entities: their mean position, total weight and first index
    let shift = 0;
    const shifts = wanted.map((_, i) => (shift += i ? gaps[i] : 0));
    wanted.forEach((target, i) => {
      let block = { mean: target - shifts[i], weight: weights[i], first: i };
      while (blocks.length > 0 && blocks[blocks.length - 1].mean > block.mean) {
        const left = blocks.pop();
        const weight = left.weight + block.weight;
        block = { mean: (left.mean * left.weight + block.mean * block.weight) / weight, weight, first: left.first };
      }
      blocks.push(block);
    });
    const placed = new Array(wanted.length);
    blocks.forEach((block, k) => {
      const end = k + 1 < blocks.length ? blocks[k + 1].first : wanted.length;
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
    const side = (i) => (rank[hops[i].a] === rank[hops[i].b] - 1 ? position[hops[i].a] : Infinity);
    for (const [to, list] of arriving) {
      list.sort((p, q) => side(p) - side(q) || p - q);
      const step = Math.min(PORT_GAP, (boxes[to].width - 24) / Math.max(1, list.length - 1));
      list.forEach((hop, i) => (offsets[hop] = (i - (list.length - 1) / 2) * step));
    }
    return offsets;
  }

  /** For each bend the lowest box that its wire leads to. */
  function bendGoals(boxCount, wires, hops, rank) {
    const lowest = wires.map(({ sinks }) => sinks.reduce((low, sink) => (rank[sink.to] > rank[low] ? sink.to : low), sinks[0].to));
    return new Map(hops.filter(({ b }) => b >= boxCount).map(({ wire, b }) => [b, lowest[wire]]));
  }

  /** The horizontal middle of every entity: sweeps that draw each to its neighbours, long wires straighter than others. */
  function columns(boxes, wires, hops, rank, layers, entry) {
    const goals = bendGoals(boxes.length, wires, hops, rank);
    const gap = (p, q) => {
      if (p < boxes.length || q < boxes.length) return (boxes[p]?.right ?? 0) + (boxes[q]?.left ?? 0) + COLUMN_GAP;
      return goals.get(p) === goals.get(q) ? BUNDLE_GAP : BEND_GAP;
    };
    const gapsOf = layers.map((layer) => layer.map((entity, i) => (i === 0 ? 0 : gap(layer[i - 1], entity))));
    const count = layers.reduce((sum, layer) => sum + layer.length, 0);
    const links = { above: Array.from({ length: count }, () => []), below: Array.from({ length: count }, () => []) };
    hops.forEach((hop, i) => {
      if (hop.isLong) return;
      const start = hop.a < boxes.length ? wires[hop.wire].fromOffset : 0;
      const weight = hop.a >= boxes.length && hop.b >= boxes.length ? 8 : hop.a >= boxes.length || hop.b >= boxes.length ? 2 : 1;
      links.below[hop.a].push({ other: hop.b, shift: entry[i] - start, weight });
      links.above[hop.b].push({ other: hop.a, shift: start - entry[i], weight });
    });
    const x = new Float64Array(count);
    layers.forEach((layer, r) => {
      let at = 0;
      layer.forEach((entity, i) => (x[entity] = at += gapsOf[r][i]));
      layer.forEach((entity) => (x[entity] -= at / 2));
    });
    const settle = (r, linked) => {
      const weights = [];
      const wanted = layers[r].map((entity) => {
        let [sum, weight] = [x[entity] * 0.05, 0.05];
        for (const link of linked(entity)) {
          sum += (x[link.other] + link.shift) * link.weight;
          weight += link.weight;
        }
        weights.push(weight);
        return sum / weight;
      });
      place(wanted, weights, gapsOf[r]).forEach((at, i) => (x[layers[r][i]] = at));
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
    const wanted = (entity) => x[above[entity][0].other] + above[entity][0].shift;
    const isBend = (entity) => entity >= boxCount;
    for (let i = layer.length - 1; i >= 0; i--) {
      if (!isBend(layer[i])) continue;
      const limit = i + 1 < layer.length ? x[layer[i + 1]] - gaps[i + 1] : Infinity;
      x[layer[i]] = Math.max(x[layer[i]], Math.min(wanted(layer[i]), limit));
    }
    for (let i = 0; i < layer.length; i++) {
      if (!isBend(layer[i])) continue;
      const limit = i > 0 ? x[layer[i - 1]] + gaps[i] : -Infinity;
      x[layer[i]] = Math.min(x[layer[i]], Math.max(wanted(layer[i]), limit));
    }
  }

  /** The top and height of each rank; ranks stand further apart where hops between them go far to the side. */
  function rows(boxes, rank, hops, layers, x) {
    const heights = layers.map((layer) => layer.reduce((most, entity) => Math.max(most, boxes[entity]?.height ?? 0), 0));
    const widest = new Float64Array(layers.length);
    for (const { a, b, isLong } of hops) if (!isLong) widest[rank[a]] = Math.max(widest[rank[a]], Math.abs(x[a] - x[b]));
    const tops = [];
    let y = 0;
    heights.forEach((height, r) => {
      tops.push(y);
      const isPinned = (layer, pin) => layer?.some((entity) => boxes[entity]?.pin === pin);
      const gap = isPinned(layers[r], TOP) ? BORDER_GAP : isPinned(layers[r + 1], BOTTOM) ? EXIT_GAP : RANK_GAP;
      y += height + gap + Math.min(60, widest[r] * 0.06);
    });
    return { tops, heights };
  }

  /**
   * Draw one connected graph.
   *
   * @param {{left: number, right: number, width: number, height: number, pin: number}[]} boxes `left`, `right`: the room
   *   a box needs on both sides of its middle, labels included; `pin`: FREE, TOP or BOTTOM
   * @param {{from: number, fromOffset: number, sinks: {to: number, toOffset: number | null}[]}[]} wires offsets are
   *   horizontal, from the middle of a box; null: the drawing spreads them
   * @returns {{x: number[], y: number[], hops: object[], width: number, height: number}} the middle of each box and its
   *   top, from the upper left corner; hops from (x1, y1) down to (x1, bend1), over to (x2, bend2), down to (x2, y2)
   */
  function drawLayers(boxes, wires) {
    const from = [];
    const to = [];
    wires.forEach((wire) => wire.sinks.forEach((sink) => (from.push(wire.from), to.push(sink.to))));
    const isBack = backEdges(boxes.length, from, to);
    let edge = 0;
    const isBackTie = wires.map((wire) => wire.sinks.map(() => isBack[edge++] === 1));
    const boxRank = rankBoxes(boxes.map((box) => box.pin), from, to, isBack);
    const least = boxRank.reduce((a, b) => Math.min(a, b), Infinity);
    const { rank, hops } = makeHops(wires, boxRank.map((each) => each - least), isBackTie);
    const { layers, position } = orderRanks(rank, hops);
    const entry = entryOffsets(wires, boxes, hops, rank, position);
    const x = columns(boxes, wires, hops, rank, layers, entry);
    const { tops, heights } = rows(boxes, rank, hops, layers, x);
    const { left, right } = extent(boxes, x);
    const y = boxes.map((box, i) => tops[rank[i]] + (heights[rank[i]] - box.height) / 2);
    const drawn = hops.map((hop, i) => {
      const startsAtBox = hop.a < boxes.length;
      const endsAtBox = hop.b < boxes.length;
      const bottom = tops[rank[hop.a]] + heights[rank[hop.a]];
      const isFromTop = boxes[hop.a]?.pin === TOP;
      const bend2 = tops[rank[hop.b]];
      return Object.assign(hop, {
        x1: x[hop.a] - left + (startsAtBox ? wires[hop.wire].fromOffset : 0),
        y1: startsAtBox ? y[hop.a] + boxes[hop.a].height : bottom,
        bend1: bottom + (isFromTop ? -BORDER_GAP : STUB),
        x2: x[hop.b] - left + (endsAtBox ? entry[i] : 0),
        bend2,
        y2: endsAtBox ? y[hop.b] : bend2 + heights[rank[hop.b]],
      });
    });
    const height = tops[tops.length - 1] + heights[heights.length - 1];
    return { x: boxes.map((_, i) => x[i] - left), y, hops: drawn, width: right - left, height };
  }

  /** The leftmost and rightmost coordinate of boxes and bends. */
  function extent(boxes, x) {
    let [left, right] = [Infinity, -Infinity];
    x.forEach((at, entity) => {
      left = Math.min(left, at - (boxes[entity]?.left ?? 6));
      right = Math.max(right, at + (boxes[entity]?.right ?? 6));
    });
    return { left, right };
  }

  typegradGraph.layers = { FREE, TOP, BOTTOM, PORT_GAP, backEdges, rankBoxes, makeHops, orderRanks, countCrossings, place, drawLayers };
})();
