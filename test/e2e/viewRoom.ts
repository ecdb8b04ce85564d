// The room that a view has: its share of the window, and how much of it nothing covers.
import type { Locator } from 'playwright-core';
import { eventually } from './app.ts';

/** Share of the window that the canvas has. */
function windowShare(canvas: Locator): Promise<number> {
  return canvas.evaluate((element) => {
    const { width, height } = element.getBoundingClientRect();
    return (width * height) / (window.innerWidth * window.innerHeight);
  });
}

/** Share of the canvas that no overlay covers, such as let the pointer through included. */
function freeShare(canvas: Locator): Promise<number> {
  return canvas.evaluate((element) => {
    const count = 80;
    const { left, top, width, height } = element.getBoundingClientRect();
    const overlays = [...document.querySelectorAll('.glass')].map((one) =>
      one.getBoundingClientRect(),
    );
    const isOver = (x: number, y: number): boolean =>
      overlays.some((one) => x >= one.left && x <= one.right && y >= one.top && y <= one.bottom);
    let free = 0;
    for (let row = 0; row < count; row += 1) {
      for (let column = 0; column < count; column += 1) {
        const x = left + ((column + 0.5) / count) * width;
        const y = top + ((row + 0.5) / count) * height;
        if (!isOver(x, y) && document.elementFromPoint(x, y) === element) free += 1;
      }
    }
    return free / count ** 2;
  });
}

/** A tenth of a view is for overlays; all views of a page together have more than this share of the window. */
export async function expectRoom(canvases: Locator, minShare = 0.5): Promise<void> {
  const all = async (measure: (canvas: Locator) => Promise<number>): Promise<number[]> =>
    Promise.all((await canvases.all()).map(measure));
  const sum = async (): Promise<number> =>
    (await all(windowShare)).reduce((total, share) => total + share, 0);
  await eventually(sum).toBeGreaterThan(minShare);
  await eventually(async () => Math.min(...(await all(freeShare)))).toBeGreaterThan(0.9);
}
