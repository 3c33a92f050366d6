"use strict";
// The search field: finds operations, then guides and the API, by the rules of typegrad_reference/entries/search.py.
(() => {
  const CLASS = 0, OPERATION = 1, ELSEWHERE = 2, OTHER_MODULE = 3, PREFIX = 4, PART = 5, WORDS = 6, TEXT = 7, INSIDE = 8, SIMILAR = 9;
  const ABSENT = 10, INSTEAD = 11;
  const ALIASES = { np: "numpy", jnp: "jax.numpy", tf: "tensorflow" };
  const EMPTY = new Set("a along an and array arrays at by do for from how i in is of on or over tensor tensors the to with".split(" "));
  const PLURALS = new Map([["axes", "axis"], ["indices", "index"], ["matrices", "matrix"]]);
  const STEM = 6, PASSING = 4, CLOSE = 0.75, LIMIT = 20;
  /** Where to continue for somebody who misses something that has no counterpart here. */
  const OWN = "guides/adding-an-operation.html";

  // Names and words, as search.py compares them

  /** The words of a text in lower case. */
  const split = (text) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter(Boolean);

  /** The words as texts are compared by them, in the singular where a plural begins otherwise. */
  const wordsOf = (text) => split(text).map((word) => PLURALS.get(word) ?? word);

  /** A name in snake case, by TensorFlow's rule: MatMul is mat_mul, Conv2D conv2d. */
  function snake(name) {
    const isUpper = (char) => char !== undefined && char !== char.toLowerCase();
    const isLower = (char) => char !== undefined && char !== char.toUpperCase();
    return [...name].map((char, i, all) => {
      const inner = i > 0 && i < all.length - 1;
      const breaks = isUpper(char) && ((i > 0 && isLower(all[i - 1])) || (inner && isLower(all[i + 1])));
      return (breaks ? "_" : "") + char.toLowerCase();
    }).join("");
  }

  /** The parts of a dotted name in lower case, without underscores: np.reduce_sum is numpy, reducesum. */
  function parts(name) {
    const trimmed = name.trim();
    const dot = trimmed.indexOf(".");
    const library = dot < 0 ? trimmed : trimmed.slice(0, dot);
    const written = dot < 0 ? trimmed : (ALIASES[library.toLowerCase()] ?? library) + trimmed.slice(dot);
    return written.split(".").map((part) => split(part).join("")).filter(Boolean);
  }

  /** Compare two ranks, lists of numbers and strings. */
  function compare(a, b) {
    for (let i = 0; i < Math.min(a.length, b.length); i += 1) {
      if (a[i] !== b[i]) return a[i] < b[i] ? -1 : 1;
    }
    return a.length - b.length;
  }

  /** How well the parts of a query match a name: its kind and rank, or null. */
  function match(query, name) {
    const last = query.at(-1), own = name.parts.at(-1);
    const end = name.parts.slice(-query.length);
    if (end.length === query.length && end.every((part, i) => part === query[i])) return [name.kind, 0, own.length];
    if (last === own) {
      // The same library, another module: less than a name that is listed as it was typed.
      return query[0] === name.parts[0] ? [ELSEWHERE, 1, own.length] : [OTHER_MODULE, name.kind, own.length];
    }
    if (own.startsWith(last)) return [PREFIX, name.kind, own.length];
    if (name.ends.some((end) => end.startsWith(last))) return [PART, name.kind, own.length];
    return last.length >= PASSING && own.includes(last) ? [INSIDE, name.kind, own.length] : null;
  }

  /** A query as it is compared: the parts of a name, the words that say something, and whether it is several words. */
  function asked(query) {
    const isPhrase = /\s/.test(query);
    // Of a dotted name only the last part: that it is NumPy's says nothing about what it does.
    const said = isPhrase ? query : query.slice(query.lastIndexOf(".") + 1);
    const words = new Set(wordsOf(said).filter((word) => !EMPTY.has(word)));
    return { parts: parts(query.split(/\s+/).join("")), words: [...words], isPhrase };
  }

  /** The best match of a query with one of the names, or null. */
  function byName(names, query) {
    if (!query.parts.length) return null;
    return names.reduce((best, name) => {
      const rank = match(query.parts, name);
      return rank && (!best || compare(rank, best.rank) < 0) ? { rank, name: name.text } : best;
    }, null);
  }

  const isSame = (typed, word) =>
    word.startsWith(typed) || (typed.length > STEM && word.startsWith(typed.slice(0, STEM)));

  const lacking = (typed, words) => typed.filter((each) => !words.some((word) => isSame(each, word)));

  /** A match of the words of a query with names and texts, or null. */
  function byWords(item, query) {
    if (!query.words.length) return null;
    const notNames = lacking(query.words, item.nameWords);
    const missing = lacking(notNames, item.summaryWords);
    if (lacking(missing, item.textWords).length) return null;
    const notTitle = lacking(query.words, item.title);
    const kind = missing.length ? TEXT : WORDS;
    return { rank: [kind, notTitle.length, missing.length, notNames.length, item.title.length, item.text.length], name: item.text };
  }

  /** How similar two words are, from 0 to 1: twice the length of what they share in order, block by block. */
  function similarity(a, b) {
    const shared = (aStart, aEnd, bStart, bEnd) => {
      let size = 0, aBest = aStart, bBest = bStart;
      for (let i = aStart; i < aEnd; i += 1) {
        for (let j = bStart; j < bEnd; j += 1) {
          let length = 0;
          while (i + length < aEnd && j + length < bEnd && a[i + length] === b[j + length]) length += 1;
          if (length > size) [size, aBest, bBest] = [length, i, j];
        }
      }
      if (!size) return 0;
      return size + shared(aStart, aBest, bStart, bBest) + shared(aBest + size, aEnd, bBest + size, bEnd);
    };
    return (2 * shared(0, a.length, 0, b.length)) / (a.length + b.length);
  }

  // The index

  /** A name that is shown as `text`; `whole` has its modules. `ends`: what is left of it from each of its words on. */
  function named(text, whole, kind) {
    const words = split(snake(whole.slice(whole.lastIndexOf(".") + 1)));
    return { text, parts: parts(whole), kind, ends: words.map((_, start) => words.slice(start).join("")) };
  }

  /** An operation of the index, ready to be compared. Where a row has no name of TensorFlow's, it is the class's. */
  function operation([text, group, name, summary, known = [], words = ""]) {
    const raw = name || text;
    const title = wordsOf(snake(text));
    return {
      text, address: `ops/${group}/${text}.html`, summary, where: group, isOther: 0, title,
      names: [
        named(text, `org.tensorflow.op.${group}.${text}`, CLASS),
        named(text, `typegrad.op.${group}.${text}`, CLASS),
        named(raw, `tf.raw_ops.${raw}`, OPERATION),
        ...known.map((each) => named(each, each, ELSEWHERE)),
      ],
      nameWords: [...title, ...[raw, ...known].flatMap((each) => wordsOf(snake(each)))],
      summaryWords: wordsOf(summary),
      textWords: wordsOf(words),
    };
  }

  /** Pages and modules, and what is in them: sections, classes, functions. */
  const others = ([page, where, isApi, rows]) => rows.map((row) => other(page, where, isApi, row));

  function other(page, where, isApi, [anchor, name, summary = "", known = [], words = ""]) {
    const text = name || anchor;
    const title = wordsOf(snake(text));
    const dotted = text.includes(".") ? text : `${where}.${text}`;
    return {
      text, address: anchor ? `${page}#${anchor}` : page, summary, where, isOther: 1, isClass: Boolean(isApi), title,
      names: [
        named(text, isApi ? dotted : text.replaceAll(".", " "), CLASS),
        ...known.map((each) => named(each, each, ELSEWHERE)),
      ],
      nameWords: [...title, ...wordsOf(where), ...known.flatMap((each) => wordsOf(snake(each)))],
      // The first sentence of a section is a part of its text, and no summary.
      summaryWords: isApi ? wordsOf(summary) : [],
      textWords: wordsOf(isApi ? words : `${summary} ${words}`),
    };
  }

  /** What is not here: an operation of TensorFlow's, or something that has names and a reason of its own. */
  function missing([title, instead = [], names = [], why = ""]) {
    const all = why ? names : [`tf.raw_ops.${title}`, ...names];
    return { instead, why: why || `TensorFlow's operation ${title} is not here.`, names: all.map((each) => named(each, each, ELSEWHERE)) };
  }

  /** What fits a query best, best first. */
  function search(items, text) {
    const hits = [];
    const query = asked(text);
    for (const item of items) {
      const name = byName(item.names, query);
      // Several words are the name of an operation, a section or a subject, but of no class: "random normal" is no initializer.
      const isWhole = name && name.rank[0] <= ELSEWHERE && !(name.rank[0] === CLASS && item.isClass);
      const isName = name && (!item.isOther || !query.isPhrase || isWhole);
      const matches = [isName ? name : null, byWords(item, query)].filter(Boolean);
      const best = matches.sort((a, b) => compare(a.rank, b.rank))[0];
      if (best) hits.push({ item, rank: [best.rank[0], item.isOther, ...best.rank.slice(1)], name: best.name });
    }
    hits.sort((a, b) => compare(a.rank, b.rank));
    if (hits.length && hits[0].rank[0] <= OTHER_MODULE) return hits.slice(0, LIMIT);
    // Where nothing fits, or a single name only in passing, it may be misspelt.
    const isUnknown = !hits.length || (hits[0].rank[0] === TEXT && !query.isPhrase);
    const notHere = absent(items, query);
    const all = [...(notHere.length || !isUnknown ? notHere : similar(items, query)), ...hits];
    const seen = new Set();
    return all.filter(({ item }) => !seen.has(item) && seen.add(item)).slice(0, LIMIT);
  }

  /** That it is not here, and what comes nearest. */
  function absent(items, query) {
    const last = query.parts.at(-1);
    // XLA's operations are called like others, as Sort: they need "xla".
    const means = ({ parts }) => parts.at(-1) === last && (!parts.includes("xla") || query.parts.includes("xla"));
    for (const item of gone) {
      const name = last && item.names.find(means);
      if (!name) continue;
      const near = item.instead.map((each) => items[each]);
      const summary = near.length ? `${item.why} Nearest: ${near.map((each) => each.text).join(", ")}` : item.why;
      const shown = { text: name.text, where: "not here", summary, address: near.length ? near[0].address : OWN };
      return [
        { item: shown, rank: [ABSENT], name: name.text },
        ...near.map((each) => ({ item: each, rank: [INSTEAD], name: each.text })),
      ];
    }
    return [];
  }

  /** Items with a name that is spelled much like the query. */
  function similar(items, query) {
    const last = query.parts.at(-1);
    if (!last) return [];
    const close = [];
    for (const item of items) {
      for (const name of item.names) {
        const score = similarity(name.parts.at(-1), last);
        if (score >= CLOSE) close.push({ item, rank: [SIMILAR, item.isOther, -score, name.kind, item.text], name: name.text });
      }
    }
    close.sort((a, b) => compare(a.rank, b.rank));
    return close.filter((hit, i) => close.findIndex((each) => each.item === hit.item) === i);
  }

  // The field

  const script = document.currentScript;
  const box = document.getElementById("site-search");
  const field = document.getElementById("site-query");
  const list = document.getElementById("site-hits");
  const status = document.getElementById("site-found");
  let items = null;
  let gone = [];
  let hits = [];
  let chosen = -1;

  /** Load the index, once. */
  function load() {
    if (items) return;
    items = [];
    const loader = document.createElement("script");
    loader.addEventListener("index", ({ detail }) => {
      items = [...detail.operations.map(operation), ...detail.others.flatMap(others)];
      gone = detail.missing.map(missing);
      update();
    });
    loader.src = script.dataset.index;
    document.head.append(loader);
  }

  const addressOf = (hit) => script.dataset.root + hit.item.address;

  /** An element with a class and text. */
  function element(tag, text, name = "") {
    const made = document.createElement(tag);
    made.textContent = text;
    if (name) made.className = name;
    return made;
  }

  /** The row of a hit: what it is, where it belongs, by which name it was found. */
  function row(hit, index) {
    const made = document.createElement("li");
    made.id = `hit-${index}`;
    if (hit.rank[0] === ABSENT) made.className = "absent";
    made.setAttribute("role", "option");
    made.setAttribute("aria-selected", "false");
    const head = element("div", "", "hit");
    head.append(element("span", hit.item.text), element("small", hit.item.where));
    if (hit.name !== hit.item.text) head.append(element("small", hit.name, "by"));
    made.append(head);
    if (hit.item.summary) made.append(element("p", hit.item.summary.replaceAll("`", "")));
    return made;
  }

  function update() {
    load();
    const query = field.value.trim();
    hits = query ? search(items, query) : [];
    list.replaceChildren(...hits.map(row));
    const isOpen = hits.length > 0 && document.activeElement === field;
    list.hidden = !isOpen;
    field.setAttribute("aria-expanded", String(isOpen));
    status.textContent = query ? `${hits.length || "No"} result${hits.length === 1 ? "" : "s"}` : "";
    choose(hits.length ? 0 : -1);
  }

  function choose(index) {
    chosen = index;
    [...list.children].forEach((item, i) => item.setAttribute("aria-selected", String(i === index)));
    if (index < 0) field.removeAttribute("aria-activedescendant");
    else {
      field.setAttribute("aria-activedescendant", `hit-${index}`);
      list.children[index].scrollIntoView({ block: "nearest" });
    }
  }

  function close() {
    list.hidden = true;
    field.setAttribute("aria-expanded", "false");
    field.removeAttribute("aria-activedescendant");
  }

  field.addEventListener("focus", update);
  field.addEventListener("input", update);
  field.addEventListener("blur", close);
  field.addEventListener("keydown", (event) => {
    const steps = { ArrowDown: 1, ArrowUp: -1 };
    if (event.key in steps && hits.length) {
      event.preventDefault();
      if (list.hidden) update();
      else choose((chosen + steps[event.key] + hits.length) % hits.length);
    } else if (event.key === "Enter" && hits[chosen]) {
      event.preventDefault();
      location.href = addressOf(hits[chosen]);
    } else if (event.key === "Escape") {
      event.preventDefault();
      if (list.hidden || !field.value) field.blur();
      else close();
    }
  });
  // The press, not the click: the field loses the focus before a click arrives.
  list.addEventListener("mousedown", (event) => {
    const index = [...list.children].indexOf(event.target.closest("li"));
    if (index < 0 || event.button > 1) return;
    event.preventDefault();
    if (event.ctrlKey || event.metaKey || event.button === 1) open(addressOf(hits[index]));
    else location.href = addressOf(hits[index]);
  });
  document.addEventListener("keydown", (event) => {
    const writes = event.target.closest?.("input, textarea, select, [contenteditable]");
    if (event.key !== "/" || writes || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    field.focus();
    field.select();
  });
  box.hidden = false;
})();
