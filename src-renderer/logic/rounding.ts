// Numbers as a person writes them into a document or a form.

/** Metres, to whole millimetres. */
export function wholeMillimetres(valueM: number): number {
  return Math.round(1000 * valueM) / 1000;
}
