/**
 * Pictures of typegrad graphs: the layered drawing of one connected graph (Sugiyama's method), as pure functions.
 *
 * Boxes are in ranks, from top to bottom; a wire leads from a box to boxes of later ranks, over bends in the ranks
 * between. All steps are linear or n log n in the number of boxes, bends and hops.
 */
(() => {
  "use strict";
  const typegradGraph = (globalThis.typegradGraph ??= {});
  const { orderRanks } = typegradGraph.crossings;
  const { entryOffsets, columns } = typegradGraph.columns;

  /** Where a box must be: anywhere, at the upper or at the lower border. */
  const FREE = 0;
  const TOP = 1;
  const BOTTOM = 2;

  const RANK_GAP = 58;
  const BORDER_GAP = 22; // between the upper border and the first boxes
  const EXIT_GAP = 38; // between the last boxes and the lower border
  const STUB = 22; // how far wires go straight down from a rank: where their labels are

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

  /** Makes bends and the hops between boxes and bends. `upper` and `lower` are the ends of a hop by rank. */
  class HopMaker {
    constructor(boxRank) {
      this.boxRank = boxRank;
      this.rank = Array.from(boxRank); // of boxes, then bends
      this.hops = [];
      this.budget = 3 * boxRank.length + 3000; // how many bends there may be, roughly
    }

    bend(rank) {
      this.budget--;
      return this.rank.push(rank) - 1;
    }

    hop(wire, sink, parent, a, b, { isLong = false, turn = "" } = {}) {
      const [upper, lower] = this.rank[a] <= this.rank[b] ? [a, b] : [b, a];
      const hop = { wire, sink, parent, a, b, upper, lower, isLong, turn };
      this.hops.push(hop);
      return hop;
    }

    /** Down from the source of wire `w`, by one bend in each rank that all sinks share. */
    lead(w, { from, sinks }, isBack) {
      const start = this.boxRank[from];
      const spans = sinks.map((sink, s) => (isBack[s] ? 0 : this.boxRank[sink.to] - start - 1));
      const bends = Math.min(Math.max(...spans), Math.max(8, this.budget));
      const trunk = [null]; // the hop that leads to the bend of each rank below the source
      for (let i = 1; i <= bends; i++) {
        const parent = trunk[i - 1];
        trunk.push(this.hop(w, -1, parent, parent ? parent.b : from, this.bend(start + i)));
      }
      sinks.forEach((sink, s) => {
        if (isBack[s]) return this.leadBack(w, s, from, sink.to);
        const parent = trunk[Math.min(spans[s], bends)];
        return this.hop(w, s, parent, parent ? parent.b : from, sink.to, { isLong: spans[s] > bends });
      });
    }

    /** From the source down and around, up beside it to the rank of the sink, and around into that from above. */
    leadBack(w, s, from, to) {
      const [low, high] = [this.boxRank[from], this.boxRank[to]];
      let last = this.hop(w, -1, null, from, this.bend(low), { isLong: true, turn: "below" });
      const isDirect = low - high > Math.max(8, this.budget);
      for (let r = isDirect ? high : low - 1; r >= high; r--) {
        last = this.hop(w, -1, last, last.b, this.bend(r), { isLong: isDirect });
      }
      this.hop(w, s, last, last.b, to, { isLong: true, turn: "above" });
    }
  }

  /**
   * Split wires into hops between neighbouring ranks. The sinks of a wire share its bends. Bends are made for the
   * shortest wires first and end when there are many: what is left hops over several ranks at once.
   *
   * @returns {{rank: number[], hops: object[]}} the ranks of boxes and bends, and hops
   *   `{wire, sink, parent, a, b, upper, lower, isLong, turn}` from entity `a` to `b`; `sink`: which of the wire's
   *   sinks, or -1; `turn`: whether it turns around "below" a source or "above" a sink, as wires do that lead back
   */
  function makeHops(wires, boxRank, isBackTie) {
    const maker = new HopMaker(boxRank);
    const span = ({ from, sinks }) => Math.max(...sinks.map((sink) => Math.abs(boxRank[sink.to] - boxRank[from])));
    const spans = wires.map(span);
    const byLength = wires.map((_, w) => w).sort((p, q) => spans[p] - spans[q]);
    for (const w of byLength) maker.lead(w, wires[w], isBackTie[w]);
    return { rank: maker.rank, hops: maker.hops };
  }

  /** The top and height of each rank; ranks are further apart where hops between them go far to the side. */
  function rows(boxes, rank, hops, layers, x) {
    const heights = layers.map((layer) =>
      layer.reduce((most, entity) => Math.max(most, boxes[entity]?.height ?? 0), 0),
    );
    const widest = new Float64Array(layers.length);
    for (const { upper, lower, isLong } of hops) {
      if (!isLong) widest[rank[upper]] = Math.max(widest[rank[upper]], Math.abs(x[upper] - x[lower]));
    }
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
   *   top, from the upper left corner; hops go from (x1, y1) straight to (x1, bend1), over to (x2, bend2), and straight
   *   to (x2, y2)
   */
  function drawLayers(boxes, wires) {
    const from = [];
    const to = [];
    wires.forEach((wire) => wire.sinks.forEach((sink) => (from.push(wire.from), to.push(sink.to))));
    const isBack = backEdges(boxes.length, from, to);
    let edge = 0;
    const isBackTie = wires.map((wire) => wire.sinks.map(() => isBack[edge++] === 1));
    const boxRank = rankBoxes(
      boxes.map((box) => box.pin),
      from,
      to,
      isBack,
    );
    const least = boxRank.reduce((a, b) => Math.min(a, b), Infinity);
    const { rank, hops } = makeHops(
      wires,
      boxRank.map((each) => each - least),
      isBackTie,
    );
    const { layers, position } = orderRanks(rank, hops);
    const entry = entryOffsets(wires, boxes, hops, rank, position);
    const x = columns(boxes, wires, hops, rank, layers, entry);
    const { tops, heights } = rows(boxes, rank, hops, layers, x);
    const { left, right } = extent(boxes, x);
    const y = boxes.map((box, i) => tops[rank[i]] + (heights[rank[i]] - box.height) / 2);
    const edges = (entity) => {
      const top = tops[rank[entity]];
      const height = heights[rank[entity]];
      return {
        top,
        bottom: top + height,
        boxTop: y[entity] ?? top,
        boxBottom: (y[entity] ?? top) + (boxes[entity]?.height ?? height),
      };
    };
    for (const [i, hop] of hops.entries()) {
      const isFromTop = boxes[hop.a]?.pin === TOP;
      const x1 = x[hop.a] - left + (hop.a < boxes.length ? wires[hop.wire].fromOffset : 0);
      Object.assign(
        hop,
        { x1, x2: x[hop.b] - left + entry[i] },
        course(hop, rank, edges(hop.a), edges(hop.b), isFromTop),
      );
    }
    const height = tops[tops.length - 1] + heights[heights.length - 1];
    return { x: boxes.map((_, i) => x[i] - left), y, hops, width: right - left, height };
  }

  /** How high a hop starts, begins and ends its curve, and ends; `from` and `to`: the edges of its ranks and boxes. */
  function course(hop, rank, from, to, isFromTop) {
    if (hop.turn === "below") return { y1: from.boxBottom, bend1: from.bottom, bend2: to.bottom, y2: to.top };
    if (hop.turn === "above") return { y1: from.top, bend1: from.top, bend2: to.top, y2: to.boxTop };
    if (rank[hop.b] < rank[hop.a]) return { y1: from.top, bend1: from.top, bend2: to.bottom + STUB, y2: to.top };
    return {
      y1: from.boxBottom,
      bend1: from.bottom + (isFromTop ? -BORDER_GAP : STUB),
      bend2: to.top,
      y2: hop.sink < 0 ? to.boxBottom : to.boxTop,
    };
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

  typegradGraph.layers = { FREE, TOP, BOTTOM, backEdges, rankBoxes, drawLayers };
})();
