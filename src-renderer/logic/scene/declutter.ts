// Labels that fit on screen without covering each other: the first ones win.

export interface LabelBox {
  /** Middle of the lower edge, in pixels. */
  xPx: number;
  yPx: number;
  widthPx: number;
  heightPx: number;
}

/** Indices of the boxes that are shown, `boxes` being in order of importance. */
export function declutter(boxes: readonly LabelBox[], gapPx: number, most: number): number[] {
  const shown: number[] = [];
  for (const [index, box] of boxes.entries()) {
    if (shown.length >= most) break;
    const isFree = shown.every((other) => !overlap(box, boxes[other] ?? box, gapPx));
    if (isFree) shown.push(index);
  }
  return shown;
}

function overlap(a: LabelBox, b: LabelBox, gapPx: number): boolean {
  return (
    Math.abs(a.xPx - b.xPx) < (a.widthPx + b.widthPx) / 2 + gapPx &&
    a.yPx - a.heightPx < b.yPx + gapPx &&
    b.yPx - b.heightPx < a.yPx + gapPx
  );
}
