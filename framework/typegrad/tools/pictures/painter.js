/**
 * Pictures of typegrad graphs: painting an arranged view on a canvas. Only what is in sight is painted, and of that
 * only what can be made out: labels go when they are tiny, then arrowheads, then corners.
 */
(() => {
  "use strict";
  const typegradGraph = (globalThis.typegradGraph ??= {});
  const { styleOf, labelOf } = typegradGraph.model;
  const { FONT, lookOf, paintItem, paintRing, paintSign, shortened } = typegradGraph.items;

  const COARSE = 0.22; // below this scale, boxes are rectangles and curves are lines
  const TINY = 0.05; // below this scale, many wires share a pixel
  const LABEL_DROP = 13;
  const TURN = 34; // how far curves that turn around go beyond their ends

  /** The look of each kind of wire: the colour's name, width in units of the picture, dashes. Painted in this order. */
  const WIRES = {
    plain: { colour: "wire", width: 1.2, dash: [] },
    control: { colour: "control", width: 1.2, dash: [2, 4] },
    added: { colour: "added", width: 1.2, dash: [] },
    masked: { colour: "masked", width: 1.8, dash: [7, 5] },
    path: { colour: "path", width: 3.2, dash: [] },
  };

  /** The style of every hop: its connections' style if it ends in a sink, else the strongest that it leads to. */
  function styleHops(level) {
    const strength = ["control", "plain", "added", "masked", "path"];
    const isStronger = (style, other) => strength.indexOf(style) > strength.indexOf(other);
    for (const hop of level.hops.toReversed()) {
      if (hop.sink) hop.style = styleOf(hop.wire.sinks.get(hop.sink));
      if (hop.parent && isStronger(hop.style, hop.parent.style)) hop.parent.style = hop.style;
    }
  }

  /** Add a hop to a path: straight, over in a curve, straight; `isCoarse`: without the curve. */
  function traceHop(path, hop, isCoarse) {
    path.moveTo(hop.x1, hop.y1);
    if (hop.turn) {
      if (hop.bend1 !== hop.y1) path.lineTo(hop.x1, hop.bend1);
      const far = hop.turn === "below" ? Math.max(hop.bend1, hop.bend2) + TURN : Math.min(hop.bend1, hop.bend2) - TURN;
      path.bezierCurveTo(hop.x1, far, hop.x2, far, hop.x2, hop.bend2);
    } else if (isCoarse || Math.abs(hop.x1 - hop.x2) < 0.5) {
      if (!isCoarse) path.lineTo(hop.x1, hop.bend1);
      path.lineTo(hop.x2, hop.bend2);
    } else {
      if (hop.bend1 !== hop.y1) path.lineTo(hop.x1, hop.bend1);
      const middle = (hop.bend1 + hop.bend2) / 2;
      path.bezierCurveTo(hop.x1, middle, hop.x2, middle, hop.x2, hop.bend2);
    }
    if (hop.bend2 !== hop.y2) path.lineTo(hop.x2, hop.y2);
  }

  /** Add the arrowhead at a hop's end to a path. */
  function traceArrow(path, hop, size) {
    path.moveTo(hop.x2, hop.y2);
    path.lineTo(hop.x2 - size * 0.55, hop.y2 - size);
    path.lineTo(hop.x2 + size * 0.55, hop.y2 - size);
    path.closePath();
  }

  /** Paints one arranged view; made again whenever what is visible changes. */
  class Painter {
    constructor(view) {
      this.view = view;
      this.frames = view.levels.slice(1);
      this.items = view.levels.flatMap((level) => level.items.filter((item) => item.kind !== "level"));
      for (const level of view.levels) styleHops(level);
      this.hops = view.levels.flatMap((level) => level.hops);
      for (const hop of this.hops) {
        hop.left = Math.min(hop.x1, hop.x2) - 8;
        hop.right = Math.max(hop.x1, hop.x2) + 8;
        hop.top = Math.min(hop.y1, hop.y2) - TURN;
        hop.bottom = Math.max(hop.y1, hop.y2) + TURN;
      }
      this.labels = this.findLabels();
    }

    /** One label for each net, below the item that it leaves; the labels of one item are one below the other. */
    findLabels() {
      const labels = [];
      const rows = new Map();
      for (const hop of this.hops) {
        const { net, source } = hop.wire;
        if (hop.parent !== null || source !== net.item || net.isLabelled) continue;
        net.isLabelled = true;
        const text = labelOf(net);
        if (!text) continue;
        const row = rows.get(net.item) ?? 0;
        rows.set(net.item, row + 1);
        labels.push({ text, x: hop.x1, y: hop.y1 + LABEL_DROP + row * 14, hop });
      }
      return labels;
    }

    /** The operation, collapsed scope or title bar of an open scope at a point of the picture; undefined if none. */
    itemAt(x, y, reach = 0) {
      const isIn = (box, height) =>
        x >= box.x - reach && x <= box.x + box.width + reach && y >= box.y - reach && y <= box.y + height + reach;
      return this.items.find((item) => isIn(item, item.height)) ?? this.frames.findLast((frame) => isIn(frame, 32));
    }

    /**
     * Paint.
     *
     * @param {CanvasRenderingContext2D} context
     * @param {{width: number, height: number, ratio: number, x: number, y: number, scale: number}} camera
     * @param {{colours: object, shown: object, selected: object | null, lit: Set<object>, hovered: object | null,
     *   ruler: Ruler}} scene
     */
    paint(context, camera, scene) {
      const { scale, ratio } = camera;
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      context.fillStyle = scene.colours.ground;
      context.fillRect(0, 0, camera.width, camera.height);
      context.setTransform(ratio * scale, 0, 0, ratio * scale, ratio * camera.x, ratio * camera.y);
      const sight = {
        left: -camera.x / scale,
        top: -camera.y / scale,
        right: (camera.width - camera.x) / scale,
        bottom: (camera.height - camera.y) / scale,
      };
      this.paintFrames(context, sight, scale, scene);
      this.paintWires(context, sight, scale, scene);
      this.paintItems(context, sight, scale, scene);
      if (scale >= 0.62) this.paintLabels(context, sight, scene);
      this.paintTitles(context, sight, scale, scene);
    }

    paintFrames(context, sight, scale, { colours, selected }) {
      for (const frame of this.frames) {
        if (!isInSight(frame, sight)) continue;
        context.beginPath();
        context.roundRect(frame.x, frame.y, frame.width, frame.height, 10);
        context.fillStyle = colours.frame;
        context.fill();
        context.lineWidth = frame === selected ? 3 : Math.max(1, 0.6 / scale);
        context.strokeStyle = frame === selected ? colours.accent : colours["frame-line"];
        context.stroke();
      }
    }

    /** Titles are above the wires; they stay in sight while any of their frame does. */
    paintTitles(context, sight, scale, { colours, ruler }) {
      if (scale < 0.3) return;
      context.textBaseline = "middle";
      context.textAlign = "left";
      for (const frame of this.frames) {
        if (!isInSight(frame, sight)) continue;
        const [x, y] = [frame.x + 16, frame.y + 17];
        const font = `600 12px ${colours.sans}`;
        const title = shortened(frame.scope.label, 40);
        context.fillStyle = colours.ground;
        context.globalAlpha = 0.85;
        context.fillRect(x - 7, y - 10, ruler.width(title, font) + 30, 20);
        context.globalAlpha = 1;
        paintSign(context, x, y, false, colours.soft);
        context.fillStyle = colours.soft;
        context.font = font;
        context.fillText(title, x + 13, y + 0.5);
      }
    }

    /** All wires in sight, each kind in one stroke; above them the wires of the selection. */
    paintWires(context, sight, scale, scene) {
      const { colours, shown, lit } = scene;
      const isCoarse = scale < COARSE;
      const isNew = onePerPixel(scale);
      const paths = Object.fromEntries(
        Object.keys(WIRES).map((style) => [style, { lines: new Path2D(), arrows: new Path2D() }]),
      );
      const litPaths = { lines: new Path2D(), arrows: new Path2D() };
      for (const hop of this.hops) {
        if (hop.right < sight.left || hop.left > sight.right || hop.bottom < sight.top || hop.top > sight.bottom)
          continue;
        if (scale < TINY && !isNew(hop)) continue;
        const style = shown[hop.style] === false ? "plain" : hop.style;
        const target = lit.has(hop) ? litPaths : paths[style];
        traceHop(target.lines, hop, isCoarse);
        if (hop.sink && hop.sink.kind !== "level" && scale > 0.3)
          traceArrow(target.arrows, hop, style === "path" ? 11 : 8);
      }
      for (const [style, { colour, width, dash }] of Object.entries(WIRES)) {
        strokeWires(
          context,
          paths[style],
          colours[colour],
          Math.max(width, Math.min(width, 1) / scale),
          isCoarse ? [] : dash,
        );
      }
      strokeWires(context, litPaths, colours.accent, Math.max(2.4, 1.6 / scale), []);
    }

    paintItems(context, sight, scale, scene) {
      const batches = new Map();
      for (const item of this.items) {
        if (!isInSight(item, sight)) continue;
        if (scale >= COARSE) paintItem(context, item, scale, scene);
        else {
          const look = lookOf(item, scene.shown);
          const key = look.width > 2 ? look.line : look.fill;
          if (!batches.has(key)) batches.set(key, { path: new Path2D(), look });
          batches.get(key).path.rect(item.x, item.y, item.width, item.height);
        }
        if (item === scene.selected || item === scene.hovered) paintRing(context, item, scale, scene);
      }
      for (const [key, { path, look }] of batches) {
        context.fillStyle = scene.colours[key];
        context.fill(path);
        context.lineWidth = 0.8 / scale;
        context.strokeStyle = scene.colours[look.line];
        context.stroke(path);
      }
      if (scale < COARSE && scene.selected?.kind !== "level" && scene.selected)
        paintRing(context, scene.selected, scale, scene);
    }

    paintLabels(context, sight, { colours, ruler }) {
      context.font = `${FONT.label}px ${colours.mono}`;
      context.textAlign = "center";
      context.textBaseline = "middle";
      for (const { text, x, y } of this.labels) {
        if (x < sight.left - 100 || x > sight.right + 100 || y < sight.top - 10 || y > sight.bottom + 10) continue;
        const width = ruler.label(text) + 6;
        context.globalAlpha = 0.88;
        context.fillStyle = colours.ground;
        context.fillRect(x - width / 2, y - 7, width, 14);
        context.globalAlpha = 1;
        context.fillStyle = colours.soft;
        context.fillText(text, x, y + 0.5);
      }
    }
  }

  const isInSight = (box, sight) =>
    box.x <= sight.right && box.x + box.width >= sight.left && box.y <= sight.bottom && box.y + box.height >= sight.top;

  /** Tells of a hop whether it is the first of its style that begins in its pixel; larger ones than that always are. */
  function onePerPixel(scale) {
    const seen = new Set();
    return (hop) => {
      if ((hop.right - hop.left) * scale > 3 || (hop.bottom - hop.top) * scale > 12) return true;
      const pixel = `${hop.style} ${Math.round(hop.x1 * scale)} ${Math.round(hop.y1 * scale)}`;
      return seen.size < seen.add(pixel).size;
    };
  }

  function strokeWires(context, { lines, arrows }, colour, width, dash) {
    context.strokeStyle = context.fillStyle = colour;
    context.lineWidth = width;
    context.setLineDash(dash);
    context.stroke(lines);
    context.setLineDash([]);
    context.fill(arrows);
  }

  typegradGraph.painter = { Painter };
})();
