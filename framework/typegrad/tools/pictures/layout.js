/**
 * Pictures of typegrad graphs: the positions of everything visible. Levels are drawn from the inside out, each in layers;
 * the connected parts of a level form rows. Pure functions: sizes come from the caller.
 */
(() => {
  "use strict";
  const typegradGraph = (globalThis.typegradGraph ??= {});
  const { PORT_GAP } = typegradGraph.columns;
  const { FREE, TOP, BOTTOM, drawLayers } = typegradGraph.layers;

  const FRAME = { side: 18, top: 38, bottom: 16 };
  const PART_GAP = 44;

  /** Where the nets of each item leave it, as offsets from its middle, in the order of its outputs. */
  function exitOffsets(level) {
    const leaving = new Map();
    for (const wire of level.wires.values()) {
      if (wire.source === level) continue;
      if (leaving.has(wire.source)) leaving.get(wire.source).push(wire.net);
      else leaving.set(wire.source, [wire.net]);
    }
    const offsets = new Map();
    for (const [item, nets] of leaving) {
      if (item.kind === "level") {
        for (const net of nets) offsets.set(net, item.exits.get(net));
        continue;
      }
      const rank = (net) => (net.isControl ? Infinity : net.output);
      nets.sort((p, q) => rank(p) - rank(q));
      const step = Math.min(PORT_GAP, (item.width - 24) / Math.max(1, nets.length - 1));
      nets.forEach((net, i) => offsets.set(net, (i - (nets.length - 1) / 2) * step));
    }
    return offsets;
  }

  /** A level as boxes, which are its items and the ports in its border, and wires between their indices. */
  function asBoxes(level, reservedFor) {
    const indexOf = new Map();
    const boxes = level.items.map((item, i) => {
      indexOf.set(item, i);
      const half = Math.max(item.width, reservedFor(item)) / 2;
      return { width: item.width, height: item.height, left: half, right: half, pin: FREE };
    });
    const ports = new Map(); // index of a port's box to its net
    const addPort = (net, pin) => {
      ports.set(boxes.length, net);
      boxes.push({ width: 0, height: 0, left: 4, right: 4, pin });
      return boxes.length - 1;
    };
    const offsets = exitOffsets(level);
    const wires = [...level.wires.values()].map((wire) => {
      const enters = wire.source === level;
      return {
        wire,
        from: enters ? addPort(wire.net, TOP) : indexOf.get(wire.source),
        fromOffset: enters ? 0 : offsets.get(wire.net),
        sinks: [...wire.sinks.keys()].map((sink) => {
          if (sink === level) return { item: sink, to: addPort(wire.net, BOTTOM), toOffset: 0 };
          const toOffset = sink.kind === "level" ? sink.entries.get(wire.net) : null;
          return { item: sink, to: indexOf.get(sink), toOffset };
        }),
      };
    });
    return { boxes, wires, ports };
  }

  /** The connected parts of a level, each as lists of indices into its boxes and wires, by union-find. */
  function connectedParts(boxes, wires) {
    const parent = boxes.map((_, i) => i);
    const find = (i) => {
      while (parent[i] !== i) i = parent[i] = parent[parent[i]];
      return i;
    };
    for (const wire of wires) for (const sink of wire.sinks) parent[find(sink.to)] = find(wire.from);
    const parts = new Map();
    boxes.forEach((_, i) => {
      const root = find(i);
      if (!parts.has(root)) parts.set(root, { boxes: [], wires: [] });
      parts.get(root).boxes.push(i);
    });
    wires.forEach((wire, w) => parts.get(find(wire.from)).wires.push(w));
    return [...parts.values()];
  }

  /** Draw one connected part of a level with box indices of its own. */
  function drawPart(part, boxes, wires) {
    const local = new Map(part.boxes.map((box, i) => [box, i]));
    const drawing = drawLayers(
      part.boxes.map((box) => boxes[box]),
      part.wires.map((w) => ({
        from: local.get(wires[w].from),
        fromOffset: wires[w].fromOffset,
        sinks: wires[w].sinks.map(({ to, toOffset }) => ({ to: local.get(to), toOffset })),
      })),
    );
    return { part, ...drawing };
  }

  /** Put drawings into rows of about one width, so that the whole is about twice as wide as high; highest first. */
  function pack(drawings) {
    const area = drawings.reduce((sum, each) => sum + (each.width + PART_GAP) * (each.height + PART_GAP), 0);
    const widest = drawings.reduce((most, each) => Math.max(most, each.width), 0);
    const limit = Math.max(widest, Math.sqrt(area * 2));
    let [x, y, rowHeight, width] = [0, 0, 0, 0];
    for (const drawing of drawings.toSorted((p, q) => q.height - p.height)) {
      if (x > 0 && x + drawing.width > limit) {
        y += rowHeight + PART_GAP;
        [x, rowHeight] = [0, 0];
      }
      Object.assign(drawing, { left: x, top: y });
      x += drawing.width + PART_GAP;
      rowHeight = Math.max(rowHeight, drawing.height);
      width = Math.max(width, x - PART_GAP);
    }
    return { width, height: y + rowHeight };
  }

  /** The hops of a drawing in the coordinates of its level, from and to the level's border where they pass it. */
  function placeHops(drawing, level, wires, ports, origin) {
    const dx = origin.x + drawing.left;
    const dy = origin.y + drawing.top;
    const placed = new Map([[null, null]]);
    return drawing.hops.map((hop) => {
      const { wire, sinks } = wires[drawing.part.wires[hop.wire]];
      const sink = hop.sink < 0 ? null : sinks[hop.sink].item;
      const result = {
        wire,
        sink,
        parent: placed.get(hop.parent),
        turn: hop.turn,
        x1: hop.x1 + dx,
        y1: hop.y1 + dy,
        bend1: hop.bend1 + dy,
        x2: hop.x2 + dx,
        bend2: hop.bend2 + dy,
        y2: hop.y2 + dy,
      };
      if (hop.parent === null && wire.source === level) result.y1 = 0;
      if (sink === level) result.y2 = level.height;
      placed.set(hop, result);
      return result;
    });
  }

  /** Draw a level whose inner levels are drawn: gives it its size, its items places, its border ports. */
  function drawLevel(level, reservedFor, titleWidth) {
    const { boxes, wires, ports } = asBoxes(level, reservedFor);
    const drawings = connectedParts(boxes, wires).map((part) => drawPart(part, boxes, wires));
    const inner = pack(drawings);
    const frame = level.level ? FRAME : { side: 0, top: 0, bottom: 0 };
    const width = Math.max(inner.width + 2 * frame.side, titleWidth);
    const origin = { x: (width - inner.width) / 2, y: frame.top };
    const height = inner.height + frame.top + frame.bottom;
    Object.assign(level, { width, height, entries: new Map(), exits: new Map(), hops: [] });
    for (const drawing of drawings) {
      drawing.part.boxes.forEach((box, i) => {
        const x = origin.x + drawing.left + drawing.x[i];
        if (box < level.items.length) {
          const item = level.items[box];
          item.x = x - item.width / 2;
          item.y = origin.y + drawing.top + drawing.y[i];
        } else {
          const side = boxes[box].pin === TOP ? level.entries : level.exits;
          side.set(ports.get(box), x - level.width / 2);
        }
      });
      for (const hop of placeHops(drawing, level, wires, ports, origin)) level.hops.push(hop);
    }
  }

  /** Move a level's items and hops from coordinates within the level to coordinates in the whole picture. */
  function makeAbsolute(level) {
    for (const item of level.items) {
      item.x += level.x;
      item.y += level.y;
    }
    for (const hop of level.hops) {
      hop.x1 += level.x;
      hop.x2 += level.x;
      for (const key of ["y1", "bend1", "bend2", "y2"]) hop[key] += level.y;
    }
  }

  /**
   * Give everything in a view its place: items get `x`, `y` (upper left corner), `width`, `height`, levels also `hops`.
   *
   * @param {object} view of `model.visiblePart`
   * @param {(item: object) => {width: number, height: number}} sizeOf of operations and collapsed scopes
   * @param {(item: object) => number} reservedFor the width that the labels on an item's wires need
   * @param {(level: object) => number} titleWidth the least width of an open scope
   * @returns {{width: number, height: number}} the size of the picture
   */
  function arrange(view, sizeOf, reservedFor, titleWidth) {
    for (const level of view.levels.toReversed()) {
      for (const item of level.items) if (item.kind !== "level") Object.assign(item, sizeOf(item));
      drawLevel(level, (item) => (item.kind === "level" ? 0 : reservedFor(item)), level.level ? titleWidth(level) : 0);
    }
    Object.assign(view.root, { x: 0, y: 0 });
    for (const level of view.levels) makeAbsolute(level);
    return { width: view.root.width, height: view.root.height };
  }

  typegradGraph.layout = { arrange, connectedParts, pack };
})();
