/**
 * Pictures of typegrad graphs: mouse, pen, wheel and fingers on the canvas of a viewer.
 */
(() => {
  "use strict";
  const typegradGraph = (globalThis.typegradGraph ??= {});

  const DRAG_START = 4; // how far a pointer moves before a click becomes a drag

  /** Mouse, pen and fingers on a viewer's canvas: one drags and clicks, two zoom. */
  class Pointers {
    constructor(viewer) {
      this.viewer = viewer;
      this.down = new Map();
      this.isDragging = false;
      const { canvas } = viewer;
      canvas.addEventListener("pointerdown", (event) => this.press(event));
      canvas.addEventListener("pointermove", (event) => this.move(event));
      canvas.addEventListener("pointerup", (event) => this.release(event, true));
      canvas.addEventListener("pointercancel", (event) => this.release(event, false));
      canvas.addEventListener("pointerleave", () => this.hover(null));
      canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    }

    press(event) {
      if (event.button !== 0) return;
      this.viewer.canvas.focus({ preventScroll: true });
      this.viewer.canvas.setPointerCapture(event.pointerId);
      this.down.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
      if (this.down.size === 1) this.isDragging = false;
    }

    move(event) {
      const before = this.down.get(event.pointerId);
      const now = { x: event.offsetX, y: event.offsetY };
      if (!before) {
        if (event.pointerType === "mouse") this.hover(this.itemAt(event));
        return;
      }
      const isSmall = Math.hypot(now.x - before.x, now.y - before.y) < DRAG_START;
      if (!this.isDragging && this.down.size === 1 && isSmall) return;
      this.isDragging = true;
      this.viewer.isTouched = true;
      const other = [...this.down].find(([id]) => id !== event.pointerId)?.[1];
      this.down.set(event.pointerId, now);
      const share = other ? 0.5 : 1;
      this.viewer.camera.pan((now.x - before.x) * share, (now.y - before.y) * share);
      if (other) {
        const factor = distance(now, other) / Math.max(1, distance(before, other));
        this.viewer.zoom(factor, (now.x + other.x) / 2, (now.y + other.y) / 2);
      }
    }

    release(event, isClick) {
      if (!this.down.delete(event.pointerId) || !isClick || this.isDragging || this.down.size > 0) return;
      const item = this.itemAt(event);
      const { viewer } = this;
      if (!item) viewer.select(null);
      else if (item.kind === "scope") viewer.setExpanded(item.scope.path, true);
      else if (item.kind === "level") viewer.setExpanded(item.scope.path, false);
      else viewer.step(item);
    }

    /** Zoom; but within a page, where the wheel scrolls the page, only with Ctrl, as browsers do. */
    wheel(event) {
      const { viewer } = this;
      const isAlone = document.fullscreenElement === viewer.viewer || (viewer.isPage && window.self === window.top);
      if (!isAlone && !event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const pixels = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1);
      const speed = event.ctrlKey ? 0.01 : 0.002; // pinching a touchpad comes as small steps of a wheel with Ctrl
      viewer.zoom(Math.exp(-Math.max(-120, Math.min(120, pixels)) * speed), event.offsetX, event.offsetY);
    }

    itemAt(event) {
      const { x, y } = this.viewer.camera.toPicture(event.offsetX, event.offsetY);
      return this.viewer.painter.itemAt(x, y, event.pointerType === "mouse" ? 1 : 8) ?? null;
    }

    hover(item) {
      if (item === this.viewer.hovered) return;
      this.viewer.hovered = item;
      this.viewer.canvas.style.cursor = item ? "pointer" : "";
      this.viewer.requestPaint();
    }
  }

  const distance = (p, q) => Math.hypot(p.x - q.x, p.y - q.y);

  typegradGraph.listenToPointers = (viewer) => void new Pointers(viewer);
})();
