// The lasers of a sensor, or the rows of an image, as a table.
import { traitsOf } from '#contract/documents/scan/scanRecipe.ts';
import { countText, withMinus } from '#domain/shared/formats.ts';
import { degrees } from '#domain/shared/numbers.ts';
import type { ShownSensor } from '#domain/shared/sensorSummary.ts';
import { headingInk, rect, softInk, text, type RectPx } from './svg.ts';

const maxRows = 64;
const fontPx = 17;
const columnPx = 92;
const stripe = '#f1f3f5';

interface TableColumn {
  head: string;
  unit: string;
  text: (laser: number) => string;
}

/** A row for each laser, the highest on top, with the columns that any of them has a value in. */
export function laserTable(area: RectPx, { shown, columns }: ShownSensor): string[] {
  const { laser_ring: rings } = columns;
  const { pixels, lines } = traitsOf(shown.recipe.scan);
  // Elevations are those of the mirror.
  if (lines !== null) return [];
  const isImage = pixels !== null;
  const step = Math.ceil(rings.length / maxRows);
  const lasers = Array.from(
    { length: Math.ceil(rings.length / step) },
    (_, row) => rings.length - 1 - row * step,
  );
  const name = isImage ? 'Rows of pixels' : 'Lasers';
  const title = step === 1 ? name : `${name}: one of ${step}, of ${countText(rings.length)}`;
  const table = tableColumns(columns, isImage);
  const top = area.top + 78;
  const rowPx = Math.min(24, (area.height - 78) / lasers.length);
  const widthPx = table.length * columnPx;
  return [
    text(title, area.left, area.top, { sizePx: 22, isBold: true, colour: headingInk }),
    ...lasers.flatMap((laser, row) => {
      const y = top + row * rowPx;
      const line = { left: area.left, top: y, width: widthPx, height: rowPx };
      return [
        ...(row % 2 === 0 ? [rect(line, stripe)] : []),
        ...table.map((column, index) => cell(column.text(laser), index, y + rowPx / 2 + 6)),
      ];
    }),
    ...table.flatMap(({ head, unit }, index) => [
      cell(head, index, area.top + 44, softInk),
      cell(unit === '' ? '' : `(${unit})`, index, area.top + 66, softInk),
    ]),
  ];

  function cell(content: string, index: number, y: number, colour?: string): string {
    const right = area.left + (index + 1) * columnPx - 12;
    return text(content, right, y, { sizePx: fontPx, anchor: 'end', ...(colour && { colour }) });
  }
}

function tableColumns(columns: ShownSensor['columns'], isImage: boolean): TableColumn[] {
  const { laser_ring: rings, laser_elevation_rad: elevations } = columns;
  const firingUs = Array.from(columns.laser_firing_offset_ns, (ns) => Number(ns) / 1000);
  const optional = (
    head: string,
    unit: string,
    values: ArrayLike<number>,
    textOf: (value: number) => string,
  ): TableColumn[] =>
    Array.from(values).some((value) => value !== 0)
      ? [{ head, unit, text: (laser) => withMinus(textOf(values[laser] ?? 0)) }]
      : [];
  return [
    { head: isImage ? 'row' : 'ring', unit: '', text: (laser) => String(rings[laser] ?? laser) },
    {
      head: 'elevation',
      unit: '°',
      text: (laser) => withMinus(degrees(elevations[laser] ?? 0).toFixed(3)),
    },
    ...optional('azimuth', '°', columns.laser_azimuth_offset_rad, (a) => degrees(a).toFixed(2)),
    ...optional('firing', 'µs', firingUs, (us) => us.toFixed(2)),
    ...optional('bias', 'mm', columns.laser_range_bias_m, (m) => (m * 1000).toFixed(1)),
  ];
}
