// The lasers of a sensor, or the rows of an image, as a table.
import { degrees } from '#domain/maths/numbers.ts';
import { countText } from '../table.ts';
import { textWidthPx, type Canvas, type Rgb } from './canvas.ts';
import { drawTitle, plotColours, type RectPx } from './plot.ts';
import type { ShownSensor } from '#contract/host/sensorFacts.ts';

const { ink, softInk } = plotColours;
const mostTableRows = 64;
const rowPx = 19;
const stripe: Rgb = [244, 245, 247];

interface TableColumn {
  head: string;
  unit: string;
  text: (laser: number) => string;
}

/** A row for each laser, the highest on top, with what any of them has. */
export function drawLasers(canvas: Canvas, rect: RectPx, { shown, columns }: ShownSensor): void {
  const { laser_ring: rings, laser_elevation_rad: elevations } = columns;
  const isImage = shown.recipe.scan.kind === 'image';
  const firingUs = Array.from(columns.laser_firing_offset_ns, (ns) => Number(ns) / 1000);
  const optional = (
    head: string,
    unit: string,
    values: ArrayLike<number>,
    text: (value: number) => string,
  ): TableColumn[] =>
    Array.from(values).some((value) => value !== 0)
      ? [{ head, unit, text: (laser) => text(values[laser] ?? 0) }]
      : [];
  const table: TableColumn[] = [
    { head: isImage ? 'row' : 'ring', unit: '', text: (laser) => String(rings[laser] ?? laser) },
    {
      head: 'elevation',
      unit: 'deg',
      text: (laser) => degrees(elevations[laser] ?? 0).toFixed(3),
    },
    ...optional('azimuth', 'deg', columns.laser_azimuth_offset_rad, (a) => degrees(a).toFixed(2)),
    ...optional('fires', 'µs', firingUs, (us) => us.toFixed(2)),
    ...optional('bias', 'mm', columns.laser_range_bias_m, (m) => (m * 1000).toFixed(1)),
  ];
  const step = Math.ceil(rings.length / mostTableRows);
  const what = isImage ? 'Rows of pixels' : 'Lasers';
  const few = step === 1 ? what : `${what}: one of ${step}, of ${countText(rings.length)}`;
  drawTitle(canvas, rect, few, 0);
  const lasers = Array.from(
    { length: Math.ceil(rings.length / step) },
    (_, row) => rings.length - 1 - row * step,
  );
  const widths = table.map(({ head, text }) =>
    [head, ...lasers.map(text)].reduce((most, cell) => Math.max(most, textWidthPx(cell)), 0),
  );
  const gapPx = 26;
  const top = rect.top + 40;
  const widthPx = widths.reduce((sum, width) => sum + width + gapPx, gapPx / 2);
  for (const row of lasers.keys()) {
    if (row % 2 === 0) {
      canvas.fillRect(rect.left, top + 45 + row * rowPx, widthPx, rowPx, stripe);
    }
  }
  let right = rect.left;
  for (const [index, { head, unit, text }] of table.entries()) {
    right += (widths[index] ?? 0) + (index === 0 ? gapPx / 2 : gapPx);
    canvas.text(head, right, top, { colour: softInk, align: 'right' });
    canvas.text(unit, right, top + 22, { colour: softInk, align: 'right' });
    for (const [row, laser] of lasers.entries()) {
      const at = top + 48 + row * rowPx;
      canvas.text(text(laser), right, at, { colour: ink, align: 'right' });
    }
  }
}
