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

/**
 * Share of the canvas that no overlay covers, such as let the pointer through included; names of places belong to the view.
 * And what covers the rest, the largest first.
 */
function freeShare(canvas: Locator): Promise<{ free: number; by: string[] }> {
  return canvas.evaluate((element) => {
    const count = 80;
    const { left, top, width, height } = element.getBoundingClientRect();
    // Why: elements that let the pointer through are not found at a place otherwise.
    const catching = new CSSStyleSheet();
    catching.replaceSync('* { pointer-events: auto !important; }');
    document.adoptedStyleSheets.push(catching);
    const paints = (one: Element): boolean => {
      const { backgroundColor, backgroundImage, visibility, opacity } = getComputedStyle(one);
      if (visibility === 'hidden' || opacity === '0' || one.closest('.labels') !== null)
        return false;
      const isTransparent = /^rgba\(.*, 0\)$|^transparent$/.test(backgroundColor);
      const hasText = [...one.childNodes].some(
        (node) => node.nodeType === Node.TEXT_NODE && (node.textContent ?? '').trim() !== '',
      );
      return (
        !isTransparent ||
        backgroundImage !== 'none' ||
        hasText ||
        one.matches('svg *, img, canvas, input, select, progress, meter')
      );
    };
    const covers = new Map<string, number>();
    let free = 0;
    for (let row = 0; row < count; row += 1) {
      for (let column = 0; column < count; column += 1) {
        const x = left + ((column + 0.5) / count) * width;
        const y = top + ((row + 0.5) / count) * height;
        const stack = document.elementsFromPoint(x, y);
        const above = stack.slice(0, stack.indexOf(element));
        const cover = stack.includes(element) ? above.findLast(paints) : document.body;
        if (cover === undefined) free += 1;
        else {
          const name = `${cover.tagName.toLowerCase()}.${cover.getAttribute('class') ?? ''}`;
          covers.set(name, (covers.get(name) ?? 0) + 1);
        }
      }
    }
    document.adoptedStyleSheets.pop();
    const by = [...covers]
      .toSorted(([, one], [, other]) => other - one)
      .map(([name, cells]) => `${name}: ${(cells / count ** 2).toFixed(3)}`);
    return { free: free / count ** 2, by };
  });
}

/** Shares of the views that overlays cover; more than a tenth is too much. */
export async function coverOf(canvases: Locator): Promise<{ covered: number; by: string[] }[]> {
  const all = await Promise.all((await canvases.all()).map(freeShare));
  return all.map(({ free, by }) => ({ covered: Number((1 - free).toFixed(4)), by }));
}

/** A tenth of a view is for overlays; all views of a page together have more than this share of the window. */
export async function expectRoom(canvases: Locator, minShare = 0.5): Promise<void> {
  const sum = async (): Promise<number> =>
    (await Promise.all((await canvases.all()).map(windowShare))).reduce(
      (total, share) => total + share,
      0,
    );
  await eventually(sum).toBeGreaterThan(minShare);
  await eventually(async () =>
    (await coverOf(canvases)).filter(({ covered }) => covered >= 0.1),
  ).toEqual([]);
}
