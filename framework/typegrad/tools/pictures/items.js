/**
 * Pictures of typegrad graphs: how operations and collapsed scopes look: colours, sizes, outlines, marks, texts.
 */
(() => {
  "use strict";
  const typegradGraph = (globalThis.typegradGraph ??= {});

  const FONT = { type: 13, name: 11, label: 10.5 };
  const NODE = { padding: 14, least: 64, tall: 44, low: 32 };
  const LONGEST_NAME = 26;

  const COLOURS = [
    "ground",
    "ink",
    "soft",
    "wire",
    "control",
    "node",
    "node-line",
    "frame",
    "frame-line",
    "path",
    "path-fill",
    "masked",
    "masked-fill",
    "added",
    "added-fill",
    "stop",
    "stop-fill",
    "accent",
    "on-mark",
    "heat",
  ];

  /** The colours of viewer.css as the canvas takes them: read off a probe element, for the theme that holds now. */
  function readColours(container) {
    const probe = document.createElement("span");
    probe.hidden = true;
    container.append(probe);
    const colours = {};
    for (const name of COLOURS) {
      probe.style.color = `var(--tg-${name})`;
      colours[name] = getComputedStyle(probe).color;
    }
    const style = getComputedStyle(container);
    colours.sans = style.getPropertyValue("--tg-sans").trim() || "sans-serif";
    colours.mono = style.getPropertyValue("--tg-mono").trim() || "monospace";
    probe.remove();
    return colours;
  }

  /** `text` with its middle left out where it is longer than `longest`. */
  function shortened(text, longest = LONGEST_NAME) {
    if (text.length <= longest) return text;
    const kept = longest - 1;
    return `${text.slice(0, Math.ceil(kept / 2))}…${text.slice(text.length - Math.floor(kept / 2))}`;
  }

  /** Measures texts, and from that the sizes of items; remembers what it measured. */
  class Ruler {
    constructor(context, colours) {
      this.context = context;
      this.colours = colours;
      this.known = new Map();
    }

    width(text, font) {
      const key = `${font}\n${text}`;
      let width = this.known.get(key);
      if (width === undefined) {
        this.context.font = font;
        width = this.context.measureText(text).width;
        this.known.set(key, width);
      }
      return width;
    }

    /** The texts of an operation or a collapsed scope, and the size of the box that holds them. */
    sizeOf(item) {
      const { title, subtitle } = textsOf(item);
      const titleWidth = this.width(title, `600 ${FONT.type}px ${this.colours.sans}`);
      const subtitleWidth = this.width(subtitle, `${FONT.name}px ${this.colours.mono}`);
      const width = Math.max(NODE.least, Math.max(titleWidth, subtitleWidth) + 2 * NODE.padding);
      const room = item.kind === "scope" ? 22 : item.marks.has("stop") ? 12 : 0;
      return { title, subtitle, width: Math.ceil(width + room), height: subtitle ? NODE.tall : NODE.low };
    }

    label(text) {
      return this.width(text, `${FONT.label}px ${this.colours.mono}`);
    }
  }

  /** What a box says: an operation's type, and its name unless that says the same; a scope's name and content. */
  function textsOf(item) {
    if (item.kind === "scope") {
      return {
        title: shortened(item.scope.label),
        subtitle: item.count === 1 ? "1 operation" : `${item.count} operations`,
      };
    }
    const { type, label } = item.node;
    return { title: type, subtitle: label === type ? "" : shortened(label) };
  }

  /** The outline of an item, in a shape that tells its mark: octagon for a stop, round ends for what was added. */
  function traceOutline(path, item, grow = 0) {
    const [x, y] = [item.x - grow, item.y - grow];
    const [width, height] = [item.width + 2 * grow, item.height + 2 * grow];
    if (item.kind === "node" && item.marks.has("stop")) {
      const cut = Math.min(12, height / 3);
      path.moveTo(x + cut, y);
      for (const [px, py] of [
        [x + width - cut, y],
        [x + width, y + cut],
        [x + width, y + height - cut],
        [x + width - cut, y + height],
        [x + cut, y + height],
        [x, y + height - cut],
        [x, y + cut],
      ])
        path.lineTo(px, py);
      path.closePath();
    } else path.roundRect(x, y, width, height, item.marks.has("added") ? height / 2 : 6);
  }

  /** How an item is painted, from its marks and from which of them the legend has switched on. */
  function lookOf(item, shown) {
    const has = (mark) => item.marks.has(mark);
    if (has("stop") && item.kind === "node") return { fill: "stop-fill", line: "stop", width: 2.2 };
    if (shown.path && has("path")) return { fill: "path-fill", line: "path", width: 2.8 };
    if (shown.masked && has("masked"))
      return { fill: "masked-fill", line: "masked", width: 1.6, dash: [5, 4], isHatched: true };
    if (has("added")) return { fill: "added-fill", line: "added", width: 1.4 };
    return { fill: "node", line: "node-line", width: 1.2 };
  }

  /** A plus in a square for what can be expanded, a minus for what can be collapsed. */
  function paintSign(context, x, y, isPlus, colour) {
    context.strokeStyle = colour;
    context.lineWidth = 1.3;
    context.beginPath();
    context.roundRect(x - 5.5, y - 5.5, 11, 11, 2.5);
    context.moveTo(x - 3, y);
    context.lineTo(x + 3, y);
    if (isPlus) {
      context.moveTo(x, y - 3);
      context.lineTo(x, y + 3);
    }
    context.stroke();
  }

  /** Slanted lines across an item. */
  function paintHatching(context, item, colour) {
    context.save();
    context.clip();
    context.beginPath();
    for (let x = item.x - item.height; x < item.x + item.width; x += 9) {
      context.moveTo(x, item.y + item.height);
      context.lineTo(x + item.height, item.y);
    }
    context.strokeStyle = colour;
    context.globalAlpha = 0.28;
    context.lineWidth = 1.4;
    context.stroke();
    context.restore();
  }

  /** Small flags at an item's upper edge: "y" and "x". */
  function paintFlags(context, item, { colours }) {
    let x = item.x + item.width - 8;
    for (const mark of ["x", "y"]) {
      if (!item.marks.has(mark)) continue;
      context.beginPath();
      context.roundRect(x - 9, item.y - 9, 18, 18, 9);
      context.fillStyle = colours.path;
      context.fill();
      context.fillStyle = colours["on-mark"];
      context.font = `600 italic 12px ${colours.sans}`;
      context.textAlign = "center";
      context.textBaseline = "middle";
      context.fillText(mark, x, item.y);
      x -= 20;
    }
  }

  /** The fill of an item whose path is traced, the hotter the more it costs. */
  function paintFill(context, item, look, colours) {
    context.fillStyle = colours[look.fill];
    context.fill();
    if (!item.heat) return;
    context.globalAlpha = Math.sqrt(Math.min(1, item.heat));
    context.fillStyle = colours.heat;
    context.fill();
    context.globalAlpha = 1;
  }

  function paintItem(context, item, scale, scene) {
    const { colours, shown } = scene;
    const look = lookOf(item, shown);
    const line = () => {
      context.lineWidth = Math.max(look.width, 0.7 / scale);
      context.strokeStyle = colours[look.line];
      context.setLineDash(look.dash ?? []);
      context.stroke();
      context.setLineDash([]);
    };
    if (item.kind === "scope") {
      context.beginPath();
      traceOutline(context, { ...item, x: item.x + 4, y: item.y + 4 });
      context.fillStyle = colours[look.fill];
      context.fill();
      line();
    }
    context.beginPath();
    traceOutline(context, item);
    paintFill(context, item, look, colours);
    if (look.isHatched) {
      paintHatching(context, item, colours.masked);
      context.beginPath();
      traceOutline(context, item);
    }
    line();
    if (item.kind === "node" && item.marks.has("state")) paintDoubleEdge(context, item, colours[look.line], look.width);
    if (item.marks.has("stop")) paintStop(context, item, colours);
    if (scale >= 0.3) paintTexts(context, item, colours);
    if (scale >= 0.3) paintFlags(context, item, scene);
  }

  /** A second line at the left and right: an operation that keeps state. */
  function paintDoubleEdge(context, item, colour, width) {
    context.beginPath();
    for (const x of [item.x + 5, item.x + item.width - 5]) {
      context.moveTo(x, item.y + 3);
      context.lineTo(x, item.y + item.height - 3);
    }
    context.lineWidth = Math.min(width, 1.6);
    context.strokeStyle = colour;
    context.stroke();
  }

  /** The bar below an operation that ends gradients; a small octagon on a scope that holds one. */
  function paintStop(context, item, colours) {
    context.fillStyle = colours.stop;
    if (item.kind === "node") context.fillRect(item.x + 4, item.y + item.height + 3, item.width - 8, 3.5);
    else {
      const [x, y, r] = [item.x + 10, item.y, 7];
      context.beginPath();
      for (let i = 0; i < 8; i++) {
        const angle = Math.PI * (i / 4 + 1 / 8);
        context.lineTo(x + r * Math.cos(angle), y + r * Math.sin(angle));
      }
      context.fill();
    }
  }

  function paintTexts(context, item, colours) {
    const middle = item.x + item.width / 2 - (item.kind === "scope" ? 9 : 0);
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillStyle = colours.ink;
    context.font = `600 ${FONT.type}px ${colours.sans}`;
    context.fillText(item.title, middle, item.y + (item.subtitle ? 15.5 : item.height / 2 + 0.5));
    if (item.subtitle) {
      context.fillStyle = colours.soft;
      context.font = `${FONT.name}px ${item.kind === "scope" ? colours.sans : colours.mono}`;
      context.fillText(item.subtitle, middle, item.y + 31);
    }
    if (item.kind === "scope")
      paintSign(context, item.x + item.width - 16, item.y + item.height / 2, true, colours.soft);
  }

  /** A ring around the item that is selected or under the pointer. */
  function paintRing(context, item, scale, { colours, selected }) {
    context.beginPath();
    traceOutline(context, item, item === selected ? 4 / Math.min(1, scale) : 2.5);
    context.lineWidth = Math.max(item === selected ? 3 : 1.5, 2 / scale);
    context.strokeStyle = colours.accent;
    context.stroke();
  }

  typegradGraph.items = { FONT, Ruler, readColours, shortened, lookOf, paintItem, paintRing, paintSign };
})();
