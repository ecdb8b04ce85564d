// Finds faults of a page: text and controls that are cut off, covered, outside of the window, or smaller
// than 11 px, in charts, too. Runs in the page. Areas that scroll show all; text that ends in an ellipsis has a title with
// the rest.
import type { Page } from 'playwright-core';

/** One line for each fault. */
export function faultsInSight(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const minPx = 11;
    const slackPx = 1.5;
    const controls = 'button, a[href], input, select, textarea, [role=checkbox], [role=tab]';
    const faults: string[] = [];
    const nameOf = (element: Element): string => {
      const text = (element.getAttribute('aria-label') ?? element.textContent).trim();
      const panel = element.closest('[data-panel]')?.getAttribute('data-panel') ?? 'page';
      return `${panel}: <${element.tagName.toLowerCase()}> ${text.slice(0, 50)}`;
    };
    /** A dialog is in front of all else. */
    const inFront = [...document.querySelectorAll('dialog:modal')].at(-1) ?? document.body;
    const isSeen = (element: Element): boolean =>
      inFront.contains(element) &&
      element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
      element.closest('.sr-only, [aria-hidden=true], dialog:not([open])') === null;
    /** The part of a box that its ancestors leave, and whether one of them scrolls. */
    const clipped = (element: Element): { box: DOMRect; scrolls: boolean } => {
      let box = new DOMRect(0, 0, innerWidth, innerHeight);
      for (let parent = element.parentElement; parent !== null; parent = parent.parentElement) {
        const { overflowX, overflowY, position } = getComputedStyle(parent);
        const scrollsX = /auto|scroll/.test(overflowX) && parent.scrollWidth > parent.clientWidth;
        const scrollsY = /auto|scroll/.test(overflowY) && parent.scrollHeight > parent.clientHeight;
        if (scrollsX || scrollsY) return { box, scrolls: true };
        if (overflowX !== 'visible') {
          const inner = parent.getBoundingClientRect();
          const left = Math.max(box.left, inner.left);
          const top = Math.max(box.top, inner.top);
          const right = Math.min(box.right, inner.right);
          const bottom = Math.min(box.bottom, inner.bottom);
          box = new DOMRect(left, top, right - left, bottom - top);
        }
        if (position === 'fixed') break;
      }
      return { box, scrolls: false };
    };
    /** Text of a chart by its size on screen, the scale of the drawing included. */
    const textPx = (element: Element): number => {
      const sizePx = parseFloat(getComputedStyle(element).fontSize);
      const { b = 0, d = 1 } = (element as SVGGraphicsElement).getScreenCTM?.() ?? {};
      return element.closest('svg') === null ? sizePx : sizePx * Math.hypot(b, d);
    };
    /** Text that does not fit, without a title on it, in it or around it. */
    const isLost = (element: Element): boolean => {
      const { overflowX, textOverflow } = getComputedStyle(element);
      const isShort = /hidden|clip/.test(overflowX) || textOverflow === 'ellipsis';
      return (
        (isShort || element.matches('input:is([type=text], [type=number])')) &&
        element.scrollWidth > element.clientWidth + 1 &&
        element.closest('[title]') === null &&
        element.querySelector('[title]') === null
      );
    };
    const hasText = (element: Element): boolean =>
      [...element.childNodes].some(
        (node) => node.nodeType === Node.TEXT_NODE && (node.textContent ?? '').trim() !== '',
      );

    // Why: what scrolls shows all; a panel is as wide as its place, though.
    for (const panel of document.querySelectorAll('[data-panel], [data-panel] > *')) {
      const widerPx = panel.scrollWidth - panel.clientWidth;
      if (isSeen(panel) && panel.clientWidth > 0 && widerPx > slackPx) {
        faults.push(`${nameOf(panel)}: ${widerPx} px wider than its place`);
      }
    }
    for (const element of document.querySelectorAll('body *')) {
      const isControl = element.matches(controls);
      if ((!isControl && !hasText(element)) || !isSeen(element)) continue;
      const isDrawn = element.closest('svg') !== null;
      if (element.matches('option, optgroup, script') || (isDrawn && !element.matches('text'))) {
        continue;
      }
      const rect = element.getBoundingClientRect();
      if (rect.width === 0 || rect.height === 0) continue;
      const sizePx = textPx(element);
      if (hasText(element) && sizePx < minPx - 0.01) {
        faults.push(`${nameOf(element)}: ${sizePx.toFixed(1)} px`);
      }
      if (!isDrawn && isLost(element)) {
        faults.push(`${nameOf(element)}: shortened without a title`);
      }
      const { box, scrolls } = clipped(element);
      if (scrolls) continue;
      const isCut =
        rect.left < box.left - slackPx ||
        rect.top < box.top - slackPx ||
        rect.right > box.right + slackPx ||
        rect.bottom > box.bottom + slackPx;
      const isShortened = element.closest('.clip, .clamp, [title]') !== null && !isControl;
      if (isCut && !isShortened) faults.push(`${nameOf(element)}: cut off`);
      if (!isControl || isCut) continue;
      const [x, y] = [rect.left + rect.width / 2, rect.top + rect.height / 2];
      const front = document.elementFromPoint(x, y);
      const isFree =
        front === null ||
        element.contains(front) ||
        front.contains(element) ||
        (element as HTMLInputElement).labels?.[0]?.contains(front) === true;
      if (!isFree) faults.push(`${nameOf(element)}: covered by ${nameOf(front)}`);
    }
    return [...new Set(faults)];
  });
}
