/**
 * Pictures of typegrad graphs: the controls around the canvas, as plain HTML: search, buttons, legend, details.
 */
(() => {
  "use strict";
  const typegradGraph = (globalThis.typegradGraph ??= {});
  const { search, enclosing } = typegradGraph.model;

  const MOST_HITS = 50;
  const MOST_LINKS = 40;

  /** An element with attributes (functions listen, `true` sets, `null` and `false` leave out) and children. */
  function element(tag, attributes = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (typeof value === "function") made.addEventListener(name, value);
      else if (value === true) made.setAttribute(name, "");
      else if (value !== null && value !== false) made.setAttribute(name, value);
    }
    made.append(...children.filter((child) => child !== null));
    return made;
  }

  const plural = (count, word) => `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;

  const tensorText = (output) => [output.dtype, output.shape].filter(Boolean).join(" ");

  const ICONS = {
    in: "M8 3v10M3 8h10",
    out: "M3 8h10",
    fit: "M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10",
    full: "M9.5 2.5h4v4M13.5 2.5 9 7M6.5 13.5h-4v-4M2.5 13.5 7 9",
    expand: "M8 2v4M6 4l2-2 2 2M8 14v-4M6 12l2 2 2-2M2 8h12",
    collapse: "M8 6V1.5M6 4l2 2 2-2M8 10v4.5M6 12l2-2 2 2M2 8h12",
    close: "M4 4l8 8M12 4l-8 8",
  };

  function icon(name) {
    const namespace = "http://www.w3.org/2000/svg";
    const svg = document.createElementNS(namespace, "svg");
    svg.setAttribute("viewBox", "0 0 16 16");
    svg.setAttribute("aria-hidden", "true");
    const path = document.createElementNS(namespace, "path");
    path.setAttribute("d", ICONS[name]);
    svg.append(path);
    return svg;
  }

  /** A button that shows an icon; its label is its tooltip, too. */
  const iconButton = (name, label, onClick) =>
    element(
      "button",
      { type: "button", class: "tg-icon", "aria-label": label, title: label, click: onClick },
      icon(name),
    );

  /** The buttons beside the search. `actions`: what each does. */
  function makeButtons(model, actions) {
    const buttons = element("div", { class: "tg-buttons", role: "group", "aria-label": "View" });
    if (model.scopes.size > 0) {
      buttons.append(
        iconButton("expand", "Expand all scopes", actions.expandAll),
        iconButton("collapse", "Collapse all scopes", actions.collapseAll),
      );
    }
    buttons.append(
      iconButton("out", "Zoom out", actions.zoomOut),
      iconButton("in", "Zoom in", actions.zoomIn),
      iconButton("fit", "Show the whole graph", actions.fit),
    );
    if (document.fullscreenEnabled) buttons.append(iconButton("full", "Full screen", actions.fullscreen));
    return buttons;
  }

  // Search

  /** A hit in the list of the search. */
  function makeOption(node, id, choose) {
    const [first] = node.outputs;
    return element(
      "li",
      { id, role: "option", "aria-selected": "false", pointerdown: (event) => choose(event) },
      element("span", { class: "tg-hit-name" }, node.name),
      element("span", { class: "tg-hit-type" }, first ? `${node.type} · ${tensorText(first)}` : node.type),
    );
  }

  /** The search box: a combobox over all operations. `goTo` gets the node that was chosen. */
  function makeSearch(model, prefix, goTo) {
    const listId = `${prefix}-hits`;
    const list = element("ul", { id: listId, role: "listbox", "aria-label": "Operations found", hidden: true });
    const count = element("p", { class: "tg-count", role: "status" });
    let hits = [];
    let active = 0;

    const setActive = (index) => {
      active = Math.max(0, Math.min(index, list.children.length - 1));
      [...list.children].forEach((option, i) => option.setAttribute("aria-selected", String(i === active)));
      const option = list.children[active];
      if (option) input.setAttribute("aria-activedescendant", option.id);
      else input.removeAttribute("aria-activedescendant");
      option?.scrollIntoView({ block: "nearest" });
    };
    const close = () => {
      list.hidden = true;
      count.textContent = "";
      input.setAttribute("aria-expanded", "false");
      input.removeAttribute("aria-activedescendant");
    };
    const choose = (index) => {
      if (!hits[index]) return;
      close();
      goTo(hits[index]);
    };
    const update = () => {
      hits = search(model, input.value);
      const option = (node, i) =>
        makeOption(node, `${prefix}-hit-${i}`, (event) => (event.preventDefault(), choose(i)));
      list.replaceChildren(...hits.slice(0, MOST_HITS).map(option));
      if (input.value.trim() === "") return close();
      list.hidden = hits.length === 0;
      input.setAttribute("aria-expanded", String(hits.length > 0));
      const more = hits.length > MOST_HITS ? `, the first ${MOST_HITS} are listed` : "";
      count.textContent = hits.length === 0 ? "Nothing found" : `${plural(hits.length, "operation")}${more}`;
      return setActive(0);
    };
    const onKey = (event) => {
      const action = {
        ArrowDown: () => setActive(active + 1),
        ArrowUp: () => setActive(active - 1),
        Enter: () => choose(active),
        Escape: () => ((input.value = ""), close()),
      }[event.key];
      if (!action) return;
      event.preventDefault();
      event.stopPropagation();
      action();
    };
    const input = element("input", {
      type: "search",
      placeholder: "Search name, type, shape",
      "aria-label": "Search operations by name, type, element type or shape",
      role: "combobox",
      "aria-autocomplete": "list",
      "aria-expanded": "false",
      "aria-controls": listId,
      autocomplete: "off",
      spellcheck: "false",
      input: update,
      keydown: onKey,
      focus: () => input.value.trim() && update(),
      blur: close,
    });
    return element("div", { class: "tg-search" }, input, element("div", { class: "tg-hits" }, count, list));
  }

  // Legend

  /** What the legend can contain: `occurs` decides; entries with a `toggle` can be switched. */
  const LEGEND = [
    { look: "y", text: "differentiated", occurs: (node) => node.marks.has("y") },
    { look: "x", text: "with respect to", occurs: (node) => node.marks.has("x") },
    { look: "path", text: "gradient path", toggle: "path", occurs: (node) => node.marks.has("path") },
    { look: "masked", text: "masked", toggle: "masked", occurs: (node) => node.marks.has("masked") },
    { look: "stop", text: "stops gradients", occurs: (node) => node.marks.has("stop") },
    { look: "added", text: "added by a gradient", toggle: "added", occurs: (node) => node.marks.has("added") },
    { look: "state", text: "keeps state", occurs: (node) => node.marks.has("state") },
    { look: "control", text: "order only", occurs: (node) => node.control.length > 0 },
  ];

  /** The legend of what occurs in the model; `onToggle` gets a switch's name and whether it is on. */
  function makeLegend(model, onToggle) {
    const legend = element("div", { class: "tg-legend", role: "group", "aria-label": "Legend" });
    const stopTypes = new Set(model.nodes.filter((node) => node.marks.has("stop")).map((node) => node.type));
    const maskedText = stopTypes.size === 1 ? `masked by ${[...stopTypes][0]}` : "masked";
    for (const { look, text, toggle, occurs } of LEGEND) {
      if (!model.nodes.some(occurs)) continue;
      const swatch = element("span", { class: `tg-swatch tg-swatch-${look}`, "aria-hidden": "true" });
      if (look === "x" || look === "y") swatch.append(look);
      const words = look === "masked" ? maskedText : text;
      if (!toggle) legend.append(element("span", { class: "tg-entry" }, swatch, words));
      else {
        const box = element("input", { type: "checkbox", checked: true, change: () => onToggle(toggle, box.checked) });
        legend.append(element("label", { class: "tg-entry" }, box, swatch, words));
      }
    }
    legend.hidden = legend.children.length === 0;
    return legend;
  }

  // Details

  const MARK_WORDS = {
    y: "differentiated",
    x: "differentiated with respect to this",
    path: "on the gradient path",
    masked: "masked: no gradient comes here",
    stop: "stops gradients",
    added: "added by a gradient",
    state: "keeps state",
  };

  /** The marks of a node in words. */
  const markWords = (node) =>
    Object.keys(MARK_WORDS)
      .filter((mark) => node.marks.has(mark))
      .map((mark) => MARK_WORDS[mark]);

  /** A button that goes to a node. */
  const link = (node, text, goTo) =>
    element("button", { type: "button", class: "tg-link", title: node.name, click: () => goTo(node) }, text);

  /** A list below a heading; nothing if it is empty. A long list ends with the number of what it leaves out. */
  function section(heading, entries) {
    if (entries.length === 0) return null;
    const items = entries.slice(0, MOST_LINKS).map((entry) => element("li", {}, ...entry));
    if (entries.length > MOST_LINKS)
      items.push(element("li", { class: "tg-note" }, `and ${entries.length - MOST_LINKS} more`));
    return element(
      "div",
      { class: "tg-section" },
      element("p", { class: "tg-heading" }, heading),
      element("ul", {}, ...items),
    );
  }

  const note = (text) => (text ? element("span", { class: "tg-note" }, text) : null);

  function inputEntries(model, node, goTo) {
    return node.inputs.map(([from, output], i) => {
      const source = model.nodes[from];
      const tensor = source.outputs[output];
      const port = source.outputs.length > 1 && tensor ? ` (${tensor.name})` : "";
      const name = element("span", { class: "tg-port" }, node.inputNames[i] ?? String(i));
      return [name, link(source, source.name + port, goTo), note(tensor && tensorText(tensor))];
    });
  }

  function outputEntries(node, goTo) {
    return node.outputs.map((output, i) => {
      const consumers = [...new Set(node.outgoing.filter((each) => each.output === i).map((each) => each.sink))];
      const parts = [element("span", { class: "tg-port" }, output.name), note(tensorText(output))];
      if (consumers.length > 0) {
        const rest = consumers.length > MOST_LINKS ? [`and ${consumers.length - MOST_LINKS} more`] : [];
        parts.push(
          element(
            "span",
            { class: "tg-uses" },
            ...consumers.slice(0, MOST_LINKS).map((each) => link(each, each.name, goTo)),
            ...rest,
          ),
        );
      }
      if (output.value !== undefined)
        parts.push(element("pre", { tabindex: "0", "aria-label": `Value of ${output.name}` }, output.value));
      return parts;
    });
  }

  /** What the panel says about an operation. */
  function nodeDetails(model, node, actions) {
    const scopes = enclosing(node.scope);
    const crumbs = scopes.map((path) =>
      element("button", { type: "button", class: "tg-link", click: () => actions.collapse(path) }, `Collapse ${path}`),
    );
    const marks = markWords(node);
    const whereabouts = [node.where && `created at ${node.where}`, node.device && `device ${node.device}`].filter(
      Boolean,
    );
    return [
      whereabouts.length > 0 ? element("p", { class: "tg-where" }, whereabouts.join(", ")) : null,
      marks.length > 0 ? element("p", { class: "tg-marks" }, marks.join("; ")) : null,
      node.cost ? element("p", { class: "tg-cost" }, node.cost.text) : null,
      section("Inputs", inputEntries(model, node, actions.goTo)),
      section("Outputs", outputEntries(node, actions.goTo)),
      section(
        "Runs after",
        node.control.map((from) => [link(model.nodes[from], model.nodes[from].name, actions.goTo)]),
      ),
      section(
        "Attributes",
        node.attrs.map(([name, value]) => [
          element("span", { class: "tg-port" }, name),
          element("span", { class: "tg-fact" }, value),
        ]),
      ),
      crumbs.length > 0 ? element("div", { class: "tg-section tg-crumbs" }, ...crumbs) : null,
    ];
  }

  /** What the panel says about a scope: what is in it, most frequent types first. */
  function scopeDetails(scope, isExpanded, actions) {
    const counts = new Map();
    let share = 0;
    const waiting = [scope];
    while (waiting.length > 0) {
      const next = waiting.pop();
      for (const node of next.nodes) {
        counts.set(node.type, (counts.get(node.type) ?? 0) + 1);
        share += node.cost?.share ?? 0;
      }
      waiting.push(...next.scopes);
    }
    const types = [...counts]
      .sort((a, b) => b[1] - a[1])
      .map(([type, count]) => [`${type} `, element("span", { class: "tg-fact" }, `× ${count}`)]);
    const [text, act] = isExpanded ? ["Collapse", actions.collapse] : ["Expand", actions.expand];
    return [
      element("p", { class: "tg-marks" }, plural(scope.count, "operation")),
      share > 0 ? element("p", { class: "tg-cost" }, `${(100 * share).toFixed(1)}% of the time`) : null,
      element("button", { type: "button", class: "tg-action", click: () => act(scope.path) }, text),
      section("Types", types),
    ];
  }

  /** Show an item in the details panel; null empties it. */
  function showDetails(panel, model, item, actions) {
    panel.hidden = item === null;
    if (item === null) return panel.replaceChildren();
    const [kind, name] = item.kind === "node" ? [item.node.type, item.node.name] : ["Scope", item.scope.path];
    const content =
      item.kind === "node"
        ? nodeDetails(model, item.node, actions)
        : scopeDetails(item.scope, item.kind === "level", actions);
    const head = element(
      "div",
      { class: "tg-head" },
      element("p", { class: "tg-kind" }, kind),
      iconButton("close", "Close details", actions.deselect),
      element("p", { class: "tg-name" }, name),
    );
    panel.replaceChildren(head, ...content.filter((part) => part !== null));
    panel.scrollTop = 0;
    return undefined;
  }

  typegradGraph.panel = { element, plural, tensorText, makeButtons, makeSearch, makeLegend, markWords, showDetails };
})();
