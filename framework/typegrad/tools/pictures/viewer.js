/**
 * Pictures of typegrad graphs in the browser. Every `figure.typegrad-graph` of the page that holds a graph as JSON, in
 * a script element of the type `application/json`, becomes an interactive picture; what else the figure holds stays
 * below it. With the attribute `data-page` the picture fills the window, and the wheel zooms; without, it is
 * a part of a page, and the wheel scrolls the page unless Ctrl is held. Colours follow `prefers-color-scheme`, or
 * `data-theme="dark"` or `"light"` on an element around it. Nothing is loaded, stored or sent.
 *
 * This file joins the other scripts of its folder, which come first, in the order of their names.
 */
(() => {
  "use strict";
  const typegradGraph = (globalThis.typegradGraph ??= {});
  const { model: models, layout, items, painter, panel, Camera } = typegradGraph;

  const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
  const PAN_STEP = 60;
  const ZOOM_STEP = 1.25;
  const COMFORTABLE = 0.75; // the least scale at which one reads details
  const LEGIBLE = 0.45; // the scale at which the names of operations can still be read
  const HINT =
    "Arrow keys move the picture, or from a selected operation to what it is connected with; " +
    "Shift with an arrow key always moves the picture. Enter selects, expands and collapses; Escape deselects; " +
    "plus and minus zoom; 0 shows the whole graph; slash goes to the search.";

  let figureCount = 0;

  /** One figure: its model, what of it is visible and selected, and all that reacts to the reader. */
  class Viewer {
    constructor(figure, data) {
      this.figure = figure;
      this.isPage = figure.hasAttribute("data-page");
      this.model = models.readModel(data);
      this.expanded = null; // until the size of the canvas is known
      this.shown = { path: true, masked: true, added: true };
      this.selected = null;
      this.hovered = null;
      this.lit = new Set();
      this.isTouched = false; // whether the reader has moved the picture: then a new size of the window does not
      this.camera = new Camera(() => this.requestPaint());
      this.build(`tg-${++figureCount}`);
      this.context = this.canvas.getContext("2d", { alpha: false });
      this.readTheme();
      this.listen();
    }

    // The page around the canvas

    build(prefix) {
      const { element } = panel;
      const actions = {
        zoomIn: () => this.zoom(ZOOM_STEP),
        zoomOut: () => this.zoom(1 / ZOOM_STEP),
        fit: () => this.fit(),
        fullscreen: () => this.toggleFullscreen(),
        expandAll: () => this.showScopes(new Set(this.model.scopes.keys())),
        collapseAll: () => this.showScopes(new Set()),
      };
      this.canvas = element("canvas", {
        tabindex: "0",
        role: "application",
        "aria-label": `Picture of the graph ${this.model.title}: ${panel.plural(this.model.nodes.length, "operation")}`,
        "aria-describedby": `${prefix}-hint`,
      });
      this.live = element("p", { class: "tg-unseen", "aria-live": "polite" });
      this.details = element("div", {
        class: "tg-details",
        role: "group",
        "aria-label": "Selected operation",
        hidden: true,
      });
      this.stage = element("div", { class: "tg-stage" }, this.canvas);
      if (this.model.nodes.length === 0)
        this.stage.append(element("p", { class: "tg-empty" }, "The graph has no operations."));
      const title = this.isPage && this.model.title ? element("h1", { class: "tg-title" }, this.model.title) : null;
      this.viewer = element(
        "div",
        { class: "tg-viewer" },
        element(
          "div",
          { class: "tg-bar" },
          title,
          panel.makeSearch(this.model, prefix, (node) => this.goTo(node)),
          panel.makeButtons(this.model, actions),
        ),
        element("div", { class: "tg-body" }, this.stage, this.details),
        panel.makeLegend(this.model, (name, isOn) => this.toggle(name, isOn)),
        element("p", { class: "tg-unseen", id: `${prefix}-hint` }, HINT),
        this.live,
      );
      this.figure.prepend(this.viewer);
    }

    readTheme() {
      this.colours = items.readColours(this.viewer);
      this.ruler = new items.Ruler(document.createElement("canvas").getContext("2d"), this.colours);
      this.requestPaint();
    }

    // What is visible

    /** Open as many scopes as can be seen at once, with their labels still legible. */
    open() {
      let best = null;
      for (const expanded of models.openings(this.model)) {
        this.expanded = expanded;
        this.arrange();
        this.adjustHeight();
        this.measure();
        const scale = this.camera.fitting(this.size);
        if (best === null || scale > best.scale * 1.05) best = { expanded, scale };
        if (scale >= LEGIBLE) break;
      }
      if (this.expanded !== best.expanded) {
        this.expanded = best.expanded;
        this.arrange();
      }
    }

    /** Arrange what is visible now, and paint it; `anchor`, an item of the picture before, keeps its place. */
    arrange(anchor = null) {
      const before = anchor && { key: anchor.key, x: anchor.x + anchor.width / 2, y: anchor.y };
      const isHidden = (node) => !this.shown.added && node.marks.has("added");
      const view = models.visiblePart(this.model, new Set(this.expanded), isHidden);
      const titleWidth = (level) =>
        this.ruler.width(items.shortened(level.scope.label, 40), `600 12px ${this.colours.sans}`) + 56;
      const reserved = (item) => {
        const labels = [...(view.nets.get(item)?.values() ?? [])].map((net) => this.ruler.label(models.labelOf(net)));
        return labels.reduce((most, width) => Math.max(most, width), 0);
      };
      this.size = layout.arrange(view, (item) => this.ruler.sizeOf(item), reserved, titleWidth);
      this.view = view;
      this.painter = new painter.Painter(view);
      this.hovered = null;
      if (this.selected) this.select(this.itemLike(this.selected), { isSilent: true });
      const after = before && this.itemWithKey(before.key);
      if (after) {
        this.camera.x += (before.x - after.x - after.width / 2) * this.camera.scale;
        this.camera.y += (before.y - after.y) * this.camera.scale;
      }
      this.requestPaint();
    }

    itemWithKey(key) {
      return [...this.painter.items, ...this.painter.frames].find((item) => item.key === key) ?? null;
    }

    /** The item that now shows what `item` showed in an earlier view; null if nothing does. */
    itemLike(item) {
      return item.kind === "node" ? (this.view.itemOf[item.node.index] ?? null) : this.itemWithKey(item.key);
    }

    /** Open exactly these scopes, and show the whole. */
    showScopes(expanded) {
      this.expanded = expanded;
      this.arrange();
      this.fit();
    }

    /** Open or close a scope; it keeps its place on the canvas. */
    setExpanded(path, isExpanded) {
      const anchor = this.itemWithKey(`scope:${path}`);
      if (isExpanded) this.expanded.add(path);
      else this.expanded.delete(path);
      this.isTouched = true;
      this.arrange(anchor);
      this.select(this.itemWithKey(`scope:${path}`), { isSilent: true });
      this.reveal(0);
      const { count } = this.model.scopes.get(path);
      this.announce(`${path} ${isExpanded ? "expanded" : "collapsed"}: ${panel.plural(count, "operation")}`);
    }

    toggle(name, isOn) {
      this.shown = { ...this.shown, [name]: isOn };
      if (name === "added") {
        this.arrange();
        this.fit();
      } else this.requestPaint();
    }

    // The selection

    select(item, { isSilent = false } = {}) {
      this.selected = item;
      this.lit = new Set();
      if (item && item.kind !== "level") this.light(item);
      panel.showDetails(this.details, this.model, item, {
        goTo: (node) => this.goTo(node),
        expand: (path) => this.setExpanded(path, true),
        collapse: (path) => this.setExpanded(path, false),
        deselect: () => this.deselect(),
      });
      if (!isSilent) this.announce(item ? this.describe(item) : "Nothing is selected");
      this.requestPaint();
    }

    deselect() {
      this.select(null);
      this.canvas.focus({ preventScroll: true });
    }

    /** Collect the hops of all connections that begin or end in an item. */
    light(item) {
      const { itemOf } = this.view;
      const isOfItem = (each) => itemOf[each.source.index] === item || itemOf[each.sink.index] === item;
      for (const hop of this.painter.hops) {
        if (!hop.sink || !hop.wire.sinks.get(hop.sink).some(isOfItem)) continue;
        for (let at = hop; at && !this.lit.has(at); at = at.parent) this.lit.add(at);
      }
    }

    /** Select a node, opening the scopes that hide it, and bring it into sight. */
    goTo(node) {
      if (!this.shown.added && node.marks.has("added")) {
        this.viewer.querySelector(".tg-swatch-added").previousElementSibling.click();
      }
      const missing = models.enclosing(node.scope).filter((path) => !this.expanded.has(path));
      for (const path of missing) this.expanded.add(path);
      if (missing.length > 0) this.arrange();
      this.isTouched = true;
      this.select(this.view.itemOf[node.index]);
      this.reveal();
      this.canvas.focus({ preventScroll: true });
    }

    /** Bring the selection into sight once the details panel has taken its room. */
    reveal(least = COMFORTABLE) {
      this.measure();
      if (this.selected)
        this.camera.reveal(this.selected, least, !matchMedia("(prefers-reduced-motion: reduce)").matches);
    }

    describe(item) {
      if (item.kind !== "node") {
        const { path, count } = item.scope;
        const state = item.kind === "level" ? "expanded" : "collapsed";
        return `Scope ${path}, ${panel.plural(count, "operation")}, ${state}`;
      }
      const { node } = item;
      const inputs = panel.plural(node.inputs.length, "input");
      const outputs = node.outputs.map(panel.tensorText).join(", ");
      return [node.type, node.name, inputs, outputs, ...panel.markWords(node)].filter(Boolean).join("; ");
    }

    announce(text) {
      this.live.textContent = text;
    }

    // The camera

    zoom(factor, x, y) {
      this.isTouched = true;
      this.camera.zoom(factor, x, y);
    }

    /** Show the whole graph. */
    fit() {
      this.isTouched = false;
      this.resize();
    }

    /** Take the stage's size into account. */
    measure() {
      const { clientWidth, clientHeight } = this.stage;
      this.camera.resize(clientWidth, clientHeight, devicePixelRatio || 1);
      this.canvas.width = Math.round(clientWidth * this.camera.ratio);
      this.canvas.height = Math.round(clientHeight * this.camera.ratio);
    }

    /** Make a figure in a page as high as its picture needs. */
    adjustHeight() {
      if (this.isPage || document.fullscreenElement === this.viewer) return;
      const scale = Math.min(1, (this.stage.clientWidth - 48) / Math.max(1, this.size.width));
      const height = Math.min(this.size.height * scale + 48, 620, innerHeight * 0.8);
      this.viewer.style.setProperty("--tg-height", `${Math.max(180, Math.round(height))}px`);
    }

    /** React to a new size of the stage: a picture that the reader has not moved is shown whole. */
    resize() {
      if (this.stage.clientWidth === 0) return; // not shown at present
      if (this.expanded === null) {
        this.open();
        this.adjustHeight();
        this.measure();
        const [first] = this.painter.items;
        this.camera.open(this.size, first ? first.x + first.width / 2 : 0);
        this.isTouched = this.camera.scale > this.camera.fitting(this.size);
      } else if (this.isTouched) this.measure();
      else {
        this.adjustHeight();
        this.measure();
        this.camera.fit(this.size);
      }
      this.requestPaint();
    }

    toggleFullscreen() {
      const done =
        document.fullscreenElement === this.viewer ? document.exitFullscreen() : this.viewer.requestFullscreen();
      done.then(
        () => this.fit(),
        () => this.announce("This page may not use the full screen"),
      );
    }

    // Painting

    requestPaint() {
      this.painting ??= requestAnimationFrame(() => {
        this.painting = undefined;
        this.paint();
      });
    }

    paint() {
      if (this.painter) this.painter.paint(this.context, this.camera, this);
    }

    // What the reader does

    listen() {
      new ResizeObserver(() => this.resize()).observe(this.stage);
      for (const query of ["(prefers-color-scheme: dark)", "(forced-colors: active)"]) {
        matchMedia(query).addEventListener("change", () => this.readTheme());
      }
      const themes = new MutationObserver(() => this.readTheme());
      themes.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"], subtree: true });
      this.canvas.addEventListener("keydown", (event) => this.onKey(event));
      typegradGraph.listenToPointers(this);
    }

    onKey(event) {
      if (event.altKey || event.ctrlKey || event.metaKey) return;
      const actions = {
        "+": () => this.zoom(ZOOM_STEP),
        "=": () => this.zoom(ZOOM_STEP),
        "-": () => this.zoom(1 / ZOOM_STEP),
        0: () => this.fit(),
        Enter: () => this.activate(),
        " ": () => this.activate(),
        Escape: () => this.selected && this.deselect(),
        "/": () => this.viewer.querySelector("input[type=search]").focus(),
      };
      const arrow = ARROWS[event.key];
      if (!arrow && !actions[event.key]) return;
      event.preventDefault();
      if (!arrow) actions[event.key]();
      else if (this.selected && !event.shiftKey) this.walk(...arrow);
      else {
        this.isTouched = true;
        this.camera.pan(-arrow[0] * PAN_STEP, -arrow[1] * PAN_STEP);
      }
    }

    /** Enter: select the first item in sight, or open or close the scope that is selected. */
    activate() {
      const { selected } = this;
      if (selected?.kind === "scope") this.setExpanded(selected.scope.path, true);
      else if (selected?.kind === "level") this.setExpanded(selected.scope.path, false);
      else if (!selected) {
        const { x, y } = this.camera.toPicture(0, 0);
        const first = this.painter.items.find((item) => item.x >= x && item.y >= y) ?? this.painter.items[0];
        if (first) this.step(first);
      }
    }

    /** Select the neighbour of the selection in a direction. */
    walk(dx, dy) {
      const next = dy === 0 ? this.beside(dx) : this.connected(dy);
      if (next) this.step(next);
    }

    step(item) {
      this.isTouched = true;
      this.select(item);
      this.reveal();
    }

    /**
     * What feeds the selection (up) or takes from it (down): on the gradient path if it can be, else the first. From a
     * scope down to what is in it, from what has no inputs up to its scope.
     */
    connected(dy) {
      const { selected, view } = this;
      const outer = selected.level?.level ? selected.level : null;
      if (selected.kind === "level") return dy > 0 ? selected.items[0] : outer;
      const connections = this.nodesOf(selected).flatMap((node) => (dy < 0 ? node.incoming : node.outgoing));
      const ends = [...connections.filter((each) => each.isPath), ...connections.filter((each) => !each.isPath)];
      const items = ends.map((each) => view.itemOf[(dy < 0 ? each.source : each.sink).index]);
      return items.find((item) => item && item !== selected) ?? (dy < 0 ? outer : null);
    }

    nodesOf(item) {
      return item.kind === "node"
        ? [item.node]
        : this.model.nodes.filter((node) => this.view.itemOf[node.index] === item);
    }

    /** The next item to the left or right at about the same height. */
    beside(dx) {
      const { selected } = this;
      const middle = (item) => item.x + item.width / 2;
      const isBeside = (item) =>
        item !== selected &&
        (middle(item) - middle(selected)) * dx > 0 &&
        item.y < selected.y + selected.height &&
        item.y + item.height > selected.y;
      return nearest(this.painter.items.filter(isBeside), selected);
    }
  }

  /** The item whose middle is nearest to the middle of `from`; null if there is none. */
  function nearest(items, from) {
    const distance = (item) =>
      Math.hypot(
        item.x + item.width / 2 - from.x - from.width / 2,
        item.y + item.height / 2 - from.y - from.height / 2,
      );
    let best = null;
    for (const item of items) if (best === null || distance(item) < distance(best)) best = item;
    return best;
  }

  /** Turn a figure into a picture, unless it is one. Returns its viewer; null if the figure holds no graph. */
  function mount(figure) {
    if (figure.typegradViewer) return figure.typegradViewer;
    const source = figure.querySelector('script[type="application/json"]');
    if (!source) return null;
    figure.typegradViewer = new Viewer(figure, JSON.parse(source.textContent));
    return figure.typegradViewer;
  }

  typegradGraph.mount = mount;
  const mountAll = () => document.querySelectorAll("figure.typegrad-graph").forEach(mount);
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", mountAll);
  else mountAll();
})();
