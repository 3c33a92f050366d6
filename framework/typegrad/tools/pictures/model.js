/**
 * Pictures of typegrad graphs, part 1: what the viewer knows of a graph, and what of it is visible.
 *
 * The scripts of this folder are plain scripts, loaded in the order of their names; they share the one global object
 * `typegradGraph`. See viewer.js for how a page uses them.
 *
 * A connection is a value (or an order of execution) that passes from one operation to another. Where scopes are
 * expanded, they are levels, nested in each other; a level holds items, which are operations, collapsed scopes and
 * further levels. What passes within a level is a wire: from one item to several, or in or out through the border.
 */
(() => {
  "use strict";
  const typegradGraph = (globalThis.typegradGraph ??= {});

  /** The output "index" of wires for all values of a collapsed scope, and of wires that order execution. */
  const ALL = -1;
  const CONTROL = -2;

  const makeScope = (path, parent) => ({
    path,
    parent,
    label: path.slice(path.lastIndexOf("/") + 1),
    depth: parent ? parent.depth + 1 : 0,
    scopes: [],
    nodes: [],
    count: 0,
  });

  /** The scope called `path`, made with all that enclose it where it is not yet known. */
  function scopeAt(scopes, path) {
    const missing = [];
    let known = path;
    while (!scopes.has(known)) {
      missing.push(known);
      known = known.slice(0, Math.max(0, known.lastIndexOf("/")));
    }
    let scope = scopes.get(known);
    for (const next of missing.reverse()) {
      const inner = makeScope(next, scope);
      scope.scopes.push(inner);
      scopes.set(next, inner);
      scope = inner;
    }
    return scope;
  }

  /** A node of the JSON with everything the viewer adds to it. */
  function makeNode(data, index, scopes) {
    const slash = data.name.lastIndexOf("/");
    const node = {
      attrs: [],
      inputs: [],
      inputNames: [],
      control: [],
      outputs: [],
      pathInputs: [],
      where: "",
      device: "",
      cost: null,
      heat: 0,
      ...data,
      marks: new Set(data.marks),
      index,
      label: data.name.slice(slash + 1),
      scope: scopeAt(scopes, data.name.slice(0, Math.max(0, slash))),
      incoming: [],
      outgoing: [],
    };
    const tensors = node.outputs.map((output) => `${output.dtype} ${output.shape}`);
    node.searchText = [node.name, node.type, ...tensors].join("\n").toLowerCase();
    return node;
  }

  /** Join two nodes; `position` is the input's, or null for a control input. */
  function connect(source, output, sink, position) {
    const connection = {
      source,
      output,
      sink,
      position,
      isPath: position !== null && sink.pathInputs.includes(position),
    };
    source.outgoing.push(connection);
    sink.incoming.push(connection);
    return connection;
  }

  /**
   * Count a scope whose inner scopes are counted. One that would be a frame around a single thing gives way to that:
   * to its operation, which then shows more of its name, or to its inner scope.
   */
  function simplify(scope, scopes) {
    const { parent } = scope;
    scope.count = scope.nodes.length + scope.scopes.reduce((sum, inner) => sum + inner.count, 0);
    if (scope.nodes.length + scope.scopes.length > 1) return;
    scopes.delete(scope.path);
    parent.scopes.splice(parent.scopes.indexOf(scope), 1);
    for (const inside of [...scope.nodes, ...scope.scopes]) inside.label = `${scope.label}/${inside.label}`;
    for (const node of scope.nodes) {
      node.scope = parent;
      parent.nodes.push(node);
    }
    for (const inner of scope.scopes) {
      inner.parent = parent;
      parent.scopes.push(inner);
    }
  }

  /**
   * The model of a document (see the project's `typegrad.tools.pictures.document`): its nodes, scopes and connections.
   *
   * @param {{title: string, nodes: object[]}} data
   */
  function readModel(data) {
    const root = makeScope("", null);
    const scopes = new Map([["", root]]);
    const nodes = data.nodes.map((node, index) => makeNode(node, index, scopes));
    const connections = [];
    for (const node of nodes) {
      node.inputs.forEach(([from, output], position) => connections.push(connect(nodes[from], output, node, position)));
      for (const from of node.control) connections.push(connect(nodes[from], CONTROL, node, null));
      node.scope.nodes.push(node);
    }
    const most = nodes.reduce((share, node) => Math.max(share, node.cost?.share ?? 0), 0);
    for (const node of nodes) if (node.cost && most > 0) node.heat = node.cost.share / most;
    scopes.delete("");
    for (const scope of [...scopes.values()].sort((p, q) => q.depth - p.depth)) simplify(scope, scopes);
    root.count = nodes.length;
    return { title: data.title ?? "", nodes, scopes, root, connections };
  }

  /**
   * The choices of scopes that could be open at the start: whole levels of nesting, most first, that show no more than
   * `limit` things (a graph of fewer operations may be shown in full), and not next to nothing either.
   *
   * @returns {Set<string>[]} at least one set of paths
   */
  function openings(model, limit = 60) {
    const choices = [];
    const expanded = new Set();
    let level = model.root.scopes;
    let visible = model.root.nodes.length + level.length;
    for (;;) {
      if (visible > limit && choices.length > 0) break;
      choices.unshift({ expanded: new Set(expanded), visible });
      if (level.length === 0) break;
      for (const scope of level) expanded.add(scope.path);
      visible += level.reduce((sum, scope) => sum + scope.nodes.length + scope.scopes.length - 1, 0);
      level = level.flatMap((scope) => scope.scopes);
    }
    const telling = choices.filter((choice) => choice.visible >= 4);
    return (telling.length > 0 ? telling : choices.slice(0, 1)).map((choice) => choice.expanded);
  }

  /** The paths of the scopes that enclose `scope`, itself included, from the outside in. */
  function enclosing(scope) {
    const paths = [];
    for (let at = scope; at.parent; at = at.parent) paths.unshift(at.path);
    return paths;
  }

  // What is visible

  const makeLevel = (scope, parent) => ({
    kind: "level",
    key: `scope:${scope.path}`,
    scope,
    level: parent,
    depth: parent ? parent.depth + 1 : 0,
    items: [],
    wires: new Map(),
    marks: new Set(),
  });

  /** The marks of a collapsed scope: those that say what one would find inside. */
  function marksWithin(nodes) {
    const marks = new Set();
    for (const mark of ["x", "y", "path", "masked", "stop"]) {
      if (nodes.some((node) => node.marks.has(mark))) marks.add(mark);
    }
    if (marks.has("path")) marks.delete("masked");
    if (nodes.every((node) => node.marks.has("added"))) marks.add("added");
    return marks;
  }

  /** The visible nodes of a scope and of all within it. */
  function nodesWithin(scope, isHidden) {
    const result = [];
    const waiting = [scope];
    while (waiting.length > 0) {
      const next = waiting.pop();
      for (const node of next.nodes) if (!isHidden(node)) result.push(node);
      waiting.push(...next.scopes);
    }
    return result;
  }

  /** Add the items of a scope to the level that shows it, and list the levels of the scopes that are expanded in it. */
  function fill(level, view, isHidden) {
    for (const node of level.scope.nodes) {
      if (isHidden(node)) continue;
      const { marks, heat, index } = node;
      const item = { kind: "node", key: `node:${node.name}`, node, level, marks, heat, order: index };
      level.items.push(item);
      view.itemOf[node.index] = item;
    }
    for (const scope of level.scope.scopes) {
      const nodes = nodesWithin(scope, isHidden);
      if (nodes.length === 0) continue;
      const order = nodes.reduce((least, node) => Math.min(least, node.index), Infinity);
      if (view.expanded.has(scope.path)) {
        const inner = Object.assign(makeLevel(scope, level), { order });
        level.items.push(inner);
        view.levels.push(inner);
      } else {
        const marks = marksWithin(nodes);
        const heat = nodes.reduce((sum, node) => sum + node.heat, 0);
        const key = `scope:${scope.path}`;
        const item = { kind: "scope", key, scope, level, marks, heat, order, count: nodes.length };
        level.items.push(item);
        for (const node of nodes) view.itemOf[node.index] = item;
      }
    }
    level.items.sort((a, b) => a.order - b.order);
  }

  /** What passes through the wire of `net` in `level` from `source` to `sink`; either may be the level: its border. */
  function tie(level, net, source, sink, connection) {
    let wire = level.wires.get(net);
    if (!wire) {
      wire = { net, level, source, sinks: new Map() };
      level.wires.set(net, wire);
    }
    const connections = wire.sinks.get(sink);
    if (connections) connections.push(connection);
    else wire.sinks.set(sink, [connection]);
  }

  /** Lay a connection through the levels between its two items. */
  function route(connection, net, from, to) {
    let [source, sink] = [from, to];
    while (source.level !== sink.level) {
      if (source.level.depth >= sink.level.depth) {
        tie(source.level, net, source, source.level, connection);
        source = source.level;
      } else {
        tie(sink.level, net, sink.level, sink, connection);
        sink = sink.level;
      }
    }
    tie(source.level, net, source, sink, connection);
  }

  /** The one net of everything that leaves an item by the same output. */
  function netOf(nets, item, connection) {
    const output = item.kind === "scope" && connection.position !== null ? ALL : connection.output;
    let ofItem = nets.get(item);
    if (!ofItem) nets.set(item, (ofItem = new Map()));
    let net = ofItem.get(output);
    if (!net) ofItem.set(output, (net = { item, output, isControl: output === CONTROL, connections: [] }));
    net.connections.push(connection);
    return net;
  }

  /**
   * What is visible of a model.
   *
   * @param {object} model of `readModel`
   * @param {Set<string>} expanded the paths of the scopes that are open
   * @param {(node: object) => boolean} isHidden which nodes to leave out
   * @returns {{root: object, levels: object[], itemOf: object[], nets: Map, expanded: Set<string>}} `levels`: outer
   *   ones first; `itemOf`: for each node the item that shows it, undefined for a hidden one; `nets`: item to its nets
   */
  function visiblePart(model, expanded, isHidden = () => false) {
    const root = makeLevel(model.root, null);
    const view = { root, levels: [root], itemOf: new Array(model.nodes.length), nets: new Map(), expanded };
    for (let i = 0; i < view.levels.length; i++) fill(view.levels[i], view, isHidden);
    for (const connection of model.connections) {
      const from = view.itemOf[connection.source.index];
      const to = view.itemOf[connection.sink.index];
      if (from && to && from !== to) route(connection, netOf(view.nets, from, connection), from, to);
    }
    return view;
  }

  /** How a tie looks: the strongest of "path", "masked", "added", "control" and "plain" among its connections. */
  function styleOf(connections) {
    if (connections.some((each) => each.isPath)) return "path";
    const isBetween = (node) => ["x", "y", "path", "masked"].some((mark) => node.marks.has(mark));
    const isMasked = ({ source, sink, position }) =>
      position !== null &&
      (source.marks.has("masked") || sink.marks.has("masked")) &&
      isBetween(source) &&
      (isBetween(sink) || sink.marks.has("stop"));
    if (connections.some(isMasked)) return "masked";
    if (connections.every((each) => each.position === null)) return "control";
    return connections.every((each) => each.sink.marks.has("added")) ? "added" : "plain";
  }

  /** The label of the wires of a net: "float32 [Batch, 10]", with the output's name where there are several. */
  function labelOf(net) {
    if (net.isControl) return "";
    const [first] = net.connections;
    const tensors = new Set(net.connections.map((each) => each.source.index * 4096 + each.output));
    if (tensors.size > 1) return `${tensors.size} tensors`;
    const output = first.source.outputs[first.output];
    if (!output) return "";
    const prefix = first.source.outputs.length > 1 ? `${output.name}: ` : "";
    return `${prefix}${output.dtype} ${output.shape}`.trim();
  }

  /** The nodes that match every word of a query, by name, type, dtype or shape; nodes with such a name come first. */
  function search(model, query) {
    const text = query.trim().toLowerCase();
    const words = text.split(/\s+/).filter(Boolean);
    if (words.length === 0) return [];
    const rank = (node) => {
      const names = [node.name, node.label, node.type].map((each) => each.toLowerCase());
      if (names.includes(text)) return 0;
      return names.some((name) => name.startsWith(text)) ? 1 : 2;
    };
    return model.nodes
      .filter((node) => words.every((word) => node.searchText.includes(word)))
      .map((node) => ({ node, rank: rank(node) }))
      .sort((a, b) => a.rank - b.rank)
      .map(({ node }) => node);
  }

  typegradGraph.model = { readModel, openings, enclosing, visiblePart, styleOf, labelOf, search };
})();
