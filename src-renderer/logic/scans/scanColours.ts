// Colours of the points of scans: by what is measured, on one range over all scans that are compared.
import { classColour, type Rgb, type ScaleName } from '#domain/shared/colours.ts';
import type { ScanTable } from './scanTable.ts';
import { paintedRows, scalePainter } from '#renderer/logic/colours/paintedRows.ts';
import { widenRange, type ValueRange } from '#renderer/logic/colours/valueRange.ts';

export const scanColourings = [
  { value: 'scan', text: 'Scan', unit: '' },
  { value: 'height', text: 'Height', unit: 'm' },
  { value: 'intensity', text: 'Intensity', unit: '' },
  { value: 'range', text: 'Range', unit: 'm' },
  { value: 'ring', text: 'Ring', unit: '' },
  { value: 'class', text: 'Class', unit: '' },
  { value: 'return', text: 'Return number', unit: '' },
  { value: 'error', text: 'Range error', unit: 'm' },
] as const;
export type ScanColouring = (typeof scanColourings)[number]['value'];

/** Values behind a colouring that has a scale; null for the others. */
function scanValues(table: ScanTable, by: ScanColouring): Float32Array | null {
  switch (by) {
    case 'height':
      return Float32Array.from({ length: table.rows }, (_, row) => table.noisyM[3 * row + 2] ?? 0);
    case 'intensity':
      return table.intensity;
    case 'range':
      return table.rangeM;
    case 'ring':
      return Float32Array.from(table.ring);
    case 'error':
      return rangeErrors(table);
    default:
      return null;
  }
}

/** Reported less clean, in metres. */
export function rangeErrors({ rangeM, rangeCleanM }: ScanTable): Float32Array {
  return rangeM.map((range, row) => range - (rangeCleanM[row] ?? range));
}

const steps: Partial<Record<ScanColouring, number>> = {
  height: 0.5,
  intensity: 0.05,
  range: 5,
  ring: 1,
};

/** One range for all of them; of errors as much below zero as above. Null: nothing to scale. */
export function commonRange(tables: readonly ScanTable[], by: ScanColouring): ValueRange | null {
  if (by === 'error') {
    const most = tables.reduce((sum, table) => Math.max(sum, usualError(table)), 0);
    return tables.length === 0 ? null : [-most || -0.01, most || 0.01];
  }
  return tables.reduce<ValueRange | null>((range, table) => {
    const values = scanValues(table, by);
    // Why all of the rings: the lowest and the highest hundredth are lasers like others.
    const share = by === 'ring' ? 1 : by === 'height' ? 0.97 : 0.99;
    return values === null ? range : widenRange(range, values, steps[by] ?? 1, share);
  }, null);
}

/** RGB bytes, a point each. */
export function scanColours(
  table: ScanTable,
  by: ScanColouring,
  { range, scale, own }: { range: ValueRange | null; scale: ScaleName; own: Rgb },
): Uint8Array {
  const values = scanValues(table, by);
  if (values !== null && range !== null) {
    const paint = scalePainter(scale, range);
    return paintedRows(table.rows, (row) => paint(values[row] ?? 0));
  }
  return paintedRows(table.rows, (row) => {
    if (by === 'class') return classColour(table.classId[row] ?? 0);
    return by === 'return' ? classColour((table.returnNo[row] ?? 1) - 1) : own;
  });
}

/** The bound of 98 of 100 errors, to either side. */
function usualError(table: ScanTable): number {
  const sizes = rangeErrors(table).map(Math.abs).sort();
  return sizes[Math.floor(0.98 * (sizes.length - 1))] ?? 0;
}
