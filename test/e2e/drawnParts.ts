// The newest frame of a page, read from its calls to the graphics card: points by draw, in order, and
// the segments of its lines.
import type { Page } from 'playwright-core';

interface DrawnParts {
  /** Points of each draw of points. */
  points: number[];
  /** Instances of each instanced draw: segments, for lines. */
  instances: number[];
}

declare global {
  interface Window {
    drawnParts: DrawnParts;
  }
}

/** Before the page is opened: keeps what its frames draw from then on, for one picture at a time. */
export async function recordDrawnParts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.drawnParts = { points: [], instances: [] };
    const gl = WebGL2RenderingContext.prototype;
    type Draw = (this: WebGL2RenderingContext, ...values: number[]) => void;
    const before = (name: string, look: (values: number[]) => void): void => {
      const draw = Reflect.get(gl, name) as Draw;
      Reflect.set(gl, name, function (this: WebGL2RenderingContext, ...values: number[]) {
        look(values);
        draw.apply(this, values);
      });
    };
    let frame: unknown = null;
    // Why by the time: a frame has several passes, and each clears what it draws into.
    before('clear', () => {
      const now = document.timeline.currentTime;
      if (now !== frame) window.drawnParts = { points: [], instances: [] };
      frame = now;
    });
    before('drawArrays', ([mode, , count = 0]) => {
      if (mode === WebGL2RenderingContext.POINTS) window.drawnParts.points.push(count);
    });
    for (const name of ['drawArraysInstanced', 'drawElementsInstanced']) {
      before(name, (values) => window.drawnParts.instances.push(values.at(-1) ?? 0));
    }
  });
}

/** Points on screen, those of fixes among them, and segments of the lines. */
export async function drawnNow(page: Page): Promise<{ points: number[]; instances: number[] }> {
  return page.evaluate(() => window.drawnParts);
}
