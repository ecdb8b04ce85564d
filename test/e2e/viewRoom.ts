// The room that a view has: its share of the window, and how much of it nothing covers.
import type { Locator } from 'playwright-core';

/** Share of the window that the canvas has. */
export function windowShare(canvas: Locator): Promise<number> {
  return canvas.evaluate((element) => {
    const { width, height } = element.getBoundingClientRect();
    return (width * height) / (window.innerWidth * window.innerHeight);
  });
}

/** Share of the canvas that no overlay covers. `steps`: places that are asked, along each side. */
export function freeShare(canvas: Locator, steps = 20): Promise<number> {
  return canvas.evaluate((element, count) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    let free = 0;
    for (let row = 0; row < count; row += 1) {
      for (let column = 0; column < count; column += 1) {
        const x = left + ((column + 0.5) / count) * width;
        const y = top + ((row + 0.5) / count) * height;
        if (document.elementFromPoint(x, y) === element) free += 1;
      }
    }
    return free / count ** 2;
  }, steps);
}

/** Pixels of a box; none: it is not there. */
export function areaOf(box: { width: number; height: number } | null): number {
  return box === null ? NaN : box.width * box.height;
}
