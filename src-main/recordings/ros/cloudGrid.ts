// The grid of an organised cloud: a row for each ring, as the field `ring` counts them, and a column for each firing.
// Columns follow the sensor's pattern of slots: where some of its lasers fire more often than others, a round of the
// pattern has as many columns as those that fire most, and the others fill the first ones.
import type { SensorRecipe } from '#contract/worker/sensorRecipe.ts';
import type { RowGrid } from '#contract/worker/rowTemplate.ts';
import type { CloudLayout } from './cloudFields.ts';
import { ringsOf } from './driverFields.ts';
import { scaledValue } from './scaledValues.ts';

/** The cells of a sensor's pulses, and what each row holds where nothing returned: NaN points of its ring. */
export interface CloudGrid {
  grid: RowGrid;
  blank: Uint8Array;
}

/** The grid of a sensor's clouds. */
export function gridOf(
  recipe: Pick<SensorRecipe, 'banks' | 'slotPattern'>,
  { fields, pointStep }: CloudLayout,
): CloudGrid {
  const ringField = fields.find(({ column }) => column === 'ring');
  const rowOf = (ring: number): number =>
    ringField?.from === 'scaled' ? scaledValue(ring, ringField) : ring;
  const { banks, slotPattern } = recipe;
  const columns = Math.max(
    ...banks.map((_, bank) => slotPattern.filter((fired) => fired === bank).length),
  );
  const fired = banks.map(() => 0);
  const cells = slotPattern.flatMap((bank) => {
    const column = fired[bank] ?? 0;
    fired[bank] = column + 1;
    return (banks[bank]?.rings ?? []).map((ring) => rowOf(ring) * columns + column);
  });
  const rows = ringsOf(recipe);
  const blank = new Uint8Array(rows * pointStep);
  const view = new DataView(blank.buffer);
  for (let row = 0; row < rows; row++) {
    for (const { column, offset, type } of fields) {
      const at = row * pointStep + offset;
      if (column === 'ring' && type === 'u8') view.setUint8(at, row);
      else if (column === 'ring') view.setUint16(at, row, true);
      if (pointColumns.includes(column)) view.setFloat32(at, NaN, true);
    }
  }
  return { grid: { rows, columns, cells }, blank };
}

const pointColumns: readonly string[] = ['x_sensor_m', 'y_sensor_m', 'z_sensor_m'];

/** Pulses of an interval: the number of the first, and how many. */
export interface PulseSpan {
  firstPulse: bigint;
  pulses: number;
}

/** Columns of the grid for these pulses; rounds at both ends may be in part. */
export function gridWidth({ cells, columns }: RowGrid, { firstPulse, pulses }: PulseSpan): number {
  if (pulses === 0) return 0;
  const round = BigInt(cells.length);
  const rounds = (firstPulse + BigInt(pulses) - 1n) / round - firstPulse / round + 1n;
  return Number(rounds) * columns;
}

/**
 * Points, one after another, at the cells of their pulses; of several returns of a pulse the first.
 * @param pulse of each point
 */
export function organise(
  { grid, blank }: CloudGrid,
  pointStep: number,
  points: Uint8Array,
  pulse: BigUint64Array,
  span: PulseSpan,
): Uint8Array {
  const width = gridWidth(grid, span);
  const out = new Uint8Array(grid.rows * width * pointStep);
  for (let row = 0, at = 0; row < grid.rows; row++) {
    const content = blank.subarray(row * pointStep, (row + 1) * pointStep);
    for (let column = 0; column < width; column++, at += pointStep) out.set(content, at);
  }
  const round = BigInt(grid.cells.length);
  const firstRound = span.firstPulse / round;
  for (const [index, number] of pulse.entries()) {
    if (index > 0 && number === pulse[index - 1]) continue;
    const cell = grid.cells[Number(number % round)] ?? 0;
    const column = Number(number / round - firstRound) * grid.columns + (cell % grid.columns);
    const at = (Math.floor(cell / grid.columns) * width + column) * pointStep;
    out.set(points.subarray(index * pointStep, (index + 1) * pointStep), at);
  }
  return out;
}
