// Numbers as a reader wants them: as many digits as matter, a true minus sign, units.

/** Four significant digits, whole numbers whole; very small and very large ones as 1.2e−5. */
export function numberText(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  const text =
    Number.isInteger(value) && size < 1e7
      ? String(value)
      : size >= 1e6 || (size > 0 && size < 1e-4)
        ? value.toExponential(2)
        : String(Number(value.toPrecision(4)));
  return text.replaceAll('-', '−');
}

/** '0.25 m'; a pure number alone. */
export function withUnit(value: number, unit: string): string {
  return unit === '1' || unit === '' ? numberText(value) : `${numberText(value)} ${unit}`;
}
