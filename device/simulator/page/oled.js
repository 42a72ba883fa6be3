// The display: 1,024 bytes, row by row, become 128 × 64 little lamps behind black glass. No sockets here.

const WIDTH = 128;
const HEIGHT = 64;
const LIT = "#d9eeff";
const UNLIT = "#080c11";

export class Oled {
  // The window is as wide as the picture makes it; `face` says how wide it may become.
  constructor(canvas, window, face) {
    this.canvas = canvas;
    this.window = window;
    this.face = face;
    this.context = canvas.getContext("2d", { alpha: false });
    this.picture = new Uint8Array((WIDTH * HEIGHT) / 8);
    this.cell = 0;
    new ResizeObserver(() => this.fit()).observe(face);
    this.fit();
  }

  // A display pixel is a whole number of screen pixels, so that all are of one size and none is smeared.
  fit() {
    const density = devicePixelRatio || 1;
    const rim = getComputedStyle(this.window);
    const room = this.face.clientWidth - parseFloat(rim.paddingLeft) - parseFloat(rim.paddingRight);
    const cell = Math.max(1, Math.floor((room * density) / WIDTH));
    if (cell === this.cell && density === this.density) return;
    this.cell = cell;
    this.density = density;
    this.canvas.width = WIDTH * cell;
    this.canvas.height = HEIGHT * cell;
    this.canvas.style.width = `${(WIDTH * cell) / density}px`;
    this.canvas.style.height = `${(HEIGHT * cell) / density}px`;
    this.context.fillStyle = "#000";
    this.context.fillRect(0, 0, this.canvas.width, this.canvas.height);
    this.paint(() => true);
  }

  show(picture) {
    const before = this.picture;
    this.picture = picture;
    this.paint((index) => before[index] !== picture[index]);
  }

  // 0 is off. An OLED at its lowest contrast can still be read, so the rest of the scale is a flat one.
  brightness(level) {
    this.canvas.style.opacity = level > 0 ? 0.5 + 0.5 * (level / 255) : 0;
  }

  paint(wanted) {
    const { cell, context, picture } = this;
    const gap = cell >= 8 ? 2 : cell >= 3 ? 1 : 0;
    const side = cell - gap;
    for (let index = 0; index < picture.length; index += 1) {
      if (!wanted(index)) continue;
      const x = (index % (WIDTH / 8)) * 8;
      const y = Math.floor(index / (WIDTH / 8));
      for (let bit = 0; bit < 8; bit += 1) {
        context.fillStyle = picture[index] & (0x80 >> bit) ? LIT : UNLIT;
        context.fillRect((x + bit) * cell, y * cell, side, side);
      }
    }
  }
}
