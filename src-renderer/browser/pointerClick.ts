// A click as other than a drag: between press and release the pointer stays where it is.

interface PointerPlace {
  readonly clientX: number;
  readonly clientY: number;
}

const clickPx = 4;

/** Whether a pointer that was pressed at one place and released at the other clicked. */
export function isClick(pressed: PointerPlace, released: PointerPlace): boolean {
  const movedPx = Math.hypot(
    released.clientX - pressed.clientX,
    released.clientY - pressed.clientY,
  );
  return movedPx <= clickPx;
}
