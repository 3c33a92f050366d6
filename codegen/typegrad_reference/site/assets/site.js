"use strict";
// What pages can do besides being read: colour schemes, tabs, copying code, the drawer, pictures of graphs.
(() => {
  const root = document.documentElement;

  /** The button switches the colour scheme: the system's, light, dark. */
  function themes() {
    const button = document.getElementById("site-theme");
    const name = document.getElementById("site-theme-name");
    const choices = ["system", "light", "dark"];
    const show = () => { name.textContent = root.dataset.theme ?? "system"; };
    button.addEventListener("click", () => {
      const next = choices[(choices.indexOf(root.dataset.theme ?? "system") + 1) % choices.length];
      if (next === "system") delete root.dataset.theme;
      else root.dataset.theme = next;
      try {
        localStorage.setItem("typegrad-theme", next);
      } catch {
        // Not remembered where storage is refused.
      }
      show();
    });
    show();
    button.hidden = false;
  }

  /** Turn the styles of an example, which are one below the other, into tabs. All examples follow the last choice. */
  function tabs(box) {
    const panels = [...box.querySelectorAll(":scope > .style")];
    const list = document.createElement("div");
    list.className = "tablist";
    list.setAttribute("role", "tablist");
    list.setAttribute("aria-label", "Styles");
    const buttons = panels.map((panel) => {
      const button = document.createElement("button");
      button.type = "button";
      button.id = `${panel.id}-tab`;
      button.textContent = panel.dataset.title;
      button.setAttribute("role", "tab");
      button.setAttribute("aria-controls", panel.id);
      panel.setAttribute("role", "tabpanel");
      panel.setAttribute("aria-labelledby", button.id);
      list.append(button);
      return button;
    });
    box.prepend(list);
    box.classList.add("live");

    const select = (title) => {
      const selected = Math.max(panels.findIndex((panel) => panel.dataset.title === title), 0);
      buttons.forEach((button, index) => {
        button.setAttribute("aria-selected", String(index === selected));
        button.tabIndex = index === selected ? 0 : -1;
        panels[index].hidden = index !== selected;
      });
    };
    list.addEventListener("click", (event) => {
      const index = buttons.indexOf(event.target);
      if (index >= 0) choose(panels[index].dataset.title);
    });
    list.addEventListener("keydown", (event) => {
      const steps = { ArrowRight: 1, ArrowLeft: -1 };
      const now = buttons.indexOf(document.activeElement);
      const ends = { Home: 0, End: buttons.length - 1 };
      const next = event.key in steps ? (now + steps[event.key] + buttons.length) % buttons.length : ends[event.key];
      if (next === undefined) return;
      event.preventDefault();
      choose(panels[next].dataset.title);
      buttons[next].focus();
    });
    return select;
  }

  let selects = [];
  const choose = (title) => selects.forEach((select) => select(title));

  /** Give each block of code a button that copies it. */
  function copying(pre) {
    const box = document.createElement("div");
    box.className = "code-box";
    pre.replaceWith(box);
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(pre.textContent);
        button.textContent = "Copied";
      } catch {
        getSelection().selectAllChildren(pre);
        button.textContent = "Selected";
      }
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    });
    box.append(pre, button);
  }

  /** Keep a drawer open where there is room for it beside the text. */
  function drawer(id, room) {
    const element = document.getElementById(id);
    if (!element) return;
    const wide = matchMedia(`(min-width: ${room})`);
    const fit = () => { element.open = wide.matches; };
    wide.addEventListener("change", fit);
    fit();
    // A drawer over the text closes once a section is chosen in it.
    element.addEventListener("click", ({ target }) => {
      if (!wide.matches && target.closest('a[href^="#"]')) element.open = false;
    });
    const current = element.querySelector("[aria-current=page]");
    if (current && wide.matches) {
      element.scrollTop = Math.max(0, current.offsetTop - element.offsetTop - element.clientHeight / 3);
    }
  }

  /** Mark the section one is reading in the list of sections. */
  function reading() {
    const links = new Map([...document.querySelectorAll(".toc a")].map((link) => [link.hash.slice(1), link]));
    if (!links.size) return;
    const headings = [...links.keys()].map((id) => document.getElementById(id)).filter(Boolean);
    const update = () => {
      const line = 0.25 * innerHeight;
      const above = headings.filter((heading) => heading.getBoundingClientRect().top < line);
      const now = (above.at(-1) ?? headings[0]).id;
      links.forEach((link, id) => {
        if (id === now) link.setAttribute("aria-current", "true");
        else link.removeAttribute("aria-current");
      });
    };
    let waiting = false;
    addEventListener("scroll", () => {
      if (waiting) return;
      waiting = true;
      requestAnimationFrame(() => { waiting = false; update(); });
    }, { passive: true });
    update();
  }

  /** Load the script that draws graphs when the first figure comes near. */
  function pictures() {
    const figures = document.querySelectorAll("figure.typegrad-graph");
    if (!figures.length) return;
    const address = document.querySelector('link[href$="viewer.css"]').href.replace(/css$/, "js");
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      observer.disconnect();
      const script = document.createElement("script");
      script.src = address;
      document.head.append(script);
    }, { rootMargin: "600px" });
    figures.forEach((figure) => observer.observe(figure));
  }

  /** Let Tab stop only at those boxes that can be scrolled. */
  function scrolling() {
    const boxes = document.querySelectorAll('[role="group"][tabindex]');
    const observer = new ResizeObserver((entries) => entries.forEach(({ target }) => {
      target.tabIndex = target.scrollWidth > target.clientWidth ? 0 : -1;
    }));
    boxes.forEach((box) => observer.observe(box));
  }

  themes();
  drawer("site-drawer", "54.01rem");
  drawer("site-toc", "78.01rem");
  scrolling();
  selects = [...document.querySelectorAll("[data-tabs]")].map(tabs);
  choose("Classes");
  document.querySelectorAll("pre.code:not(.signature)").forEach(copying);
  reading();
  pictures();
})();
