// The sizes of the page that one can choose.

/** 1: as drawn. */
export const scales: readonly number[] = [0.8, 0.9, 1, 1.1, 1.25, 1.5];

/** The stored scale; 1 for junk. */
export function scaleFrom(stored: string | null): number {
  const value = Number(stored);
  return scales.find((scale) => scale === value) ?? 1;
}
