/**
 * Pictures of typegrad graphs: the camera, which says what part of the picture the canvas shows and how large.
 * A point (x, y) of the picture is at (x * scale + camera.x, y * scale + camera.y) of the canvas.
 */
(() => {
  "use strict";
  const typegradGraph = (globalThis.typegradGraph ??= {});

  const LARGEST = 3;
  const MARGIN = 24;
  const GLIDE_MS = 200;
  const LEAST_TELLING = 0.28;

  class Camera {
    /** `onChange` is called whenever what is seen changes. */
    constructor(onChange) {
      this.onChange = onChange;
      Object.assign(this, { x: 0, y: 0, scale: 1, width: 1, height: 1, ratio: 1, smallest: 0.02, glide: 0 });
    }

    /** The size of the canvas in CSS pixels, and how many of the device's pixels one of them has. */
    resize(width, height, ratio) {
      Object.assign(this, { width, height, ratio });
      this.onChange();
    }

    pan(dx, dy) {
      this.stop();
      this.x += dx;
      this.y += dy;
      this.onChange();
    }

    /** Zoom by a factor; the point (x, y) of the canvas keeps its place. */
    zoom(factor, x = this.width / 2, y = this.height / 2) {
      this.stop();
      const scale = Math.min(LARGEST, Math.max(this.smallest, this.scale * factor));
      this.x = x - ((x - this.x) * scale) / this.scale;
      this.y = y - ((y - this.y) * scale) / this.scale;
      this.scale = scale;
      this.onChange();
    }

    /** The scale at which a picture of this size is seen as a whole, at most its natural one. */
    fitting({ width, height }) {
      return Math.min(
        1,
        (this.width - 2 * MARGIN) / Math.max(1, width),
        (this.height - 2 * MARGIN) / Math.max(1, height),
      );
    }

    /** Show the whole of a picture. */
    fit(size) {
      const scale = Math.max(0.001, this.fitting(size));
      this.smallest = Math.min(0.2, scale * 0.7);
      this.moveTo({ scale, x: (this.width - size.width * scale) / 2, y: (this.height - size.height * scale) / 2 });
    }

    /** Show the whole of a picture, or its upper end around x = `first` if the whole would be too small. */
    open(size, first) {
      this.fit(size);
      if (this.scale >= LEAST_TELLING) return;
      const scale = Math.min(0.7, Math.max(0.35, (this.width - 2 * MARGIN) / size.width));
      this.moveTo({ scale, x: this.width / 2 - first * scale, y: MARGIN });
    }

    /** Bring a box to the middle, at least `least` times its size, unless it is in sight already. */
    reveal(box, least, isGliding) {
      const scale = Math.max(this.scale, least);
      const [x, y] = [(box.x + box.width / 2) * scale, (box.y + Math.min(box.height, 60) / 2) * scale];
      const isNear = (at, size) => at > MARGIN && at < size - MARGIN;
      if (scale === this.scale && isNear(x + this.x, this.width) && isNear(y + this.y, this.height)) return;
      this.moveTo({ scale, x: this.width / 2 - x, y: this.height / 2 - y }, isGliding);
    }

    /** Go to a position at once or gliding. */
    moveTo(target, isGliding = false) {
      this.stop();
      if (!isGliding) {
        Object.assign(this, target);
        this.onChange();
        return;
      }
      const start = { x: this.x, y: this.y, scale: this.scale };
      const began = performance.now();
      const step = (now) => {
        const part = Math.min(1, Math.max(0, now - began) / GLIDE_MS);
        const eased = 1 - (1 - part) ** 3;
        for (const key of ["x", "y", "scale"]) this[key] = start[key] + (target[key] - start[key]) * eased;
        this.onChange();
        this.glide = part < 1 ? requestAnimationFrame(step) : 0;
      };
      this.glide = requestAnimationFrame(step);
    }

    /** End a glide where it is. */
    stop() {
      cancelAnimationFrame(this.glide);
      this.glide = 0;
    }

    /** The point of the picture at a point of the canvas. */
    toPicture(x, y) {
      return { x: (x - this.x) / this.scale, y: (y - this.y) / this.scale };
    }
  }

  typegradGraph.Camera = Camera;
})();
