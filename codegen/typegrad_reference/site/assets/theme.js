"use strict";
// Runs before the page is drawn, so that a remembered colour scheme does not flash.
(() => {
  try {
    const remembered = localStorage.getItem("typegrad-theme");
    if (remembered === "light" || remembered === "dark") document.documentElement.dataset.theme = remembered;
  } catch {
    // A browser may refuse storage: then the system decides.
  }
})();
