// How the ground shows the objects on it, seen from afar: the colour of ground cover (which is thinned
// out there) and soft shadows. Two images over the ground's rectangle, row by row from the south.
import { clamp } from '#domain/shared/numbers.ts';
import type { InstanceTable } from './instanceTable.ts';

export interface GroundPaint {
  size: number;
  minM: readonly [number, number];
  sizeM: readonly [number, number];
  /** RGBA: colour of the cover (linear), and how much of the ground it hides. */
  cover: Uint8Array<ArrayBuffer>;
  /** 255: full light. */
  light: Uint8Array<ArrayBuffer>;
}

export interface PaintedModel {
  /** Cover is painted; the others cast shadows: of their box, or of what is round in it. */
  role: 'cover' | 'round' | 'box' | 'none';
  /** Mean colour, linear, 0 to 1. */
  colour: readonly [number, number, number];
}

/** Painted rows of an instance table. */
export type PaintedRows = Pick<InstanceTable, 'count' | 'modelId' | 'boxesM' | 'spheresM'>;

export interface PaintRequest {
  rows: PaintedRows;
  models: readonly PaintedModel[];
  /** The ground's rectangle. */
  area: { minM: readonly [number, number]; maxM: readonly [number, number] };
  /** For each row the height of the ground below it, on which its shadow falls. */
  groundM: ArrayLike<number>;
  /** Unit, towards the sun. */
  sunDirection: readonly [number, number, number];
  /** Cells along each side. */
  size: number;
}

/** The rows that do not move, with their places: the shadows of the others would stay behind. */
export function stillRows(
  table: InstanceTable,
  isMoving: (row: number) => boolean,
): PaintedRows & Pick<InstanceTable, 'positionM'> {
  const rows = Array.from({ length: table.count }, (_, row) => row).filter((row) => !isMoving(row));
  const kept = <T extends Float32Array | Float64Array>(values: T, width: number, into: T): T => {
    for (const [index, row] of rows.entries()) {
      into.set(values.subarray(width * row, width * row + width), width * index);
    }
    return into;
  };
  const { length: count } = rows;
  return {
    count,
    modelId: Uint16Array.from(rows, (row) => at(table.modelId, row)),
    positionM: kept(table.positionM, 3, new Float64Array(3 * count)),
    boxesM: kept(table.boxesM, 6, new Float32Array(6 * count)),
    spheresM: kept(table.spheresM, 4, new Float32Array(4 * count)),
  };
}

/** Share of its ball's radius that a patch of cover covers, and how thickly. */
const coverShare = 0.72;
const coverOpacity = 0.8;
/** Light left within a shadow. */
const shadowLight = 0.42;

/** Takes a part of a second for tens of thousands of rows. */
export function paintGround(request: PaintRequest): GroundPaint {
  const { rows, models, area, groundM, sunDirection, size } = request;
  const sizeM = [area.maxM[0] - area.minM[0], area.maxM[1] - area.minM[1]] as const;
  const paint: GroundPaint = {
    size,
    minM: area.minM,
    sizeM,
    cover: new Uint8Array(4 * size * size),
    light: new Uint8Array(size * size).fill(255),
  };
  const slant = [-sunDirection[0] / sunDirection[2], -sunDirection[1] / sunDirection[2]] as const;
  for (let row = 0; row < rows.count; row += 1) {
    const model = models[at(rows.modelId, row)];
    if (model === undefined || model.role === 'none') continue;
    if (model.role === 'cover') addCover(paint, rows, row, model.colour);
    else if (model.role === 'round') addRoundShadow(paint, rows, row, at(groundM, row), slant);
    else addBoxShadow(paint, rows, row, at(groundM, row), slant);
  }
  return paint;
}

/** Light at a place, 0 to 1; outside the view full. */
export function lightAt({ size, minM, sizeM, light }: GroundPaint, xM: number, yM: number): number {
  const column = Math.floor(((xM - minM[0]) / sizeM[0]) * size);
  const line = Math.floor(((yM - minM[1]) / sizeM[1]) * size);
  if (column < 0 || line < 0 || column >= size || line >= size) return 1;
  return at(light, line * size + column) / 255;
}

function addCover(
  paint: GroundPaint,
  { spheresM }: PaintedRows,
  row: number,
  colour: readonly [number, number, number],
): void {
  const radius = coverShare * at(spheresM, 4 * row + 3);
  const half = [radius, radius] as const;
  const centre = [at(spheresM, 4 * row), at(spheresM, 4 * row + 1)] as const;
  forCells(paint, centre, half, (cell, reach) => {
    const opacity = coverOpacity * (1 - smooth(0.35, 1, reach));
    const before = at(paint.cover, 4 * cell + 3) / 255;
    const after = 1 - (1 - before) * (1 - opacity);
    if (after <= 0) return;
    const mix = opacity / Math.max(after, 1e-6);
    for (let channel = 0; channel < 3; channel += 1) {
      const old = before > 0 ? at(paint.cover, 4 * cell + channel) : 255 * at(colour, channel);
      const mixed = old + (255 * at(colour, channel) - old) * Math.min(mix, 1);
      paint.cover[4 * cell + channel] = Math.round(mixed);
    }
    paint.cover[4 * cell + 3] = Math.round(255 * after);
  });
}

/** Adds the shadow of the ellipsoid in the box. */
function addRoundShadow(
  paint: GroundPaint,
  { boxesM }: PaintedRows,
  row: number,
  groundM: number,
  slant: readonly [number, number],
): void {
  const box = (k: number): number => at(boxesM, 6 * row + k);
  const halfZ = (box(5) - box(2)) / 2;
  const above = Math.max((box(5) + box(2)) / 2 - groundM, 0);
  const centre = [
    (box(0) + box(3)) / 2 + slant[0] * above,
    (box(1) + box(4)) / 2 + slant[1] * above,
  ] as const;
  const half = [
    0.8 * Math.hypot((box(3) - box(0)) / 2, slant[0] * halfZ),
    0.8 * Math.hypot((box(4) - box(1)) / 2, slant[1] * halfZ),
  ] as const;
  forCells(paint, centre, half, (cell, reach) => {
    const depth = (1 - shadowLight) * (1 - smooth(0.45, 1, reach));
    paint.light[cell] = Math.round(Math.min(at(paint.light, cell), 255 * (1 - depth)));
  });
}

/** Adds the shadow of the box of instance and model: the convex outline of the corners and of their shadows. */
function addBoxShadow(
  paint: GroundPaint,
  { boxesM }: PaintedRows,
  row: number,
  groundM: number,
  slant: readonly [number, number],
): void {
  const box = (k: number): number => at(boxesM, 6 * row + k);
  const points: [number, number][] = [];
  for (const x of [box(0), box(3)]) {
    for (const y of [box(1), box(4)]) {
      for (const z of [box(2), box(5)]) {
        const above = Math.max(z - groundM, 0);
        points.push([x + slant[0] * above, y + slant[1] * above]);
      }
    }
  }
  const outline = convexOutline(points);
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  const centre = [
    (Math.min(...xs) + Math.max(...xs)) / 2,
    (Math.min(...ys) + Math.max(...ys)) / 2,
  ] as const;
  const half = [Math.max(...xs) - centre[0], Math.max(...ys) - centre[1]] as const;
  const cellM = paint.sizeM[0] / paint.size;
  forCells(paint, centre, half, (cell, _reach, xM, yM) => {
    const inside = clamp(0.5 + insideM(outline, xM, yM) / (2 * cellM), 0, 1);
    const depth = (1 - shadowLight) * inside;
    paint.light[cell] = Math.round(Math.min(at(paint.light, cell), 255 * (1 - depth)));
  });
}

/** Calls for the cells of an ellipse's box; `reach` is 1 on the ellipse. */
function forCells(
  { size, minM, sizeM }: GroundPaint,
  centreM: readonly [number, number],
  halfM: readonly [number, number],
  paintCell: (cell: number, reach: number, xM: number, yM: number) => void,
): void {
  const cellM = [sizeM[0] / size, sizeM[1] / size] as const;
  const half = [Math.max(halfM[0], cellM[0]), Math.max(halfM[1], cellM[1])] as const;
  const bounds = [0, 1].map((axis) => {
    const from = Math.floor(
      (at(centreM, axis) - at(half, axis) - at(minM, axis)) / at(cellM, axis),
    );
    const to = Math.ceil((at(centreM, axis) + at(half, axis) - at(minM, axis)) / at(cellM, axis));
    return [Math.max(from, 0), Math.min(to, size - 1)] as const;
  });
  const [[fromX, toX], [fromY, toY]] = bounds as [
    readonly [number, number],
    readonly [number, number],
  ];
  for (let line = fromY; line <= toY; line += 1) {
    const yM = minM[1] + (line + 0.5) * cellM[1];
    for (let column = fromX; column <= toX; column += 1) {
      const xM = minM[0] + (column + 0.5) * cellM[0];
      const reach = Math.hypot((xM - centreM[0]) / half[0], (yM - centreM[1]) / half[1]);
      paintCell(line * size + column, reach, xM, yM);
    }
  }
}

/** Andrew's monotone chain, counter-clockwise. */
function convexOutline(points: readonly [number, number][]): [number, number][] {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const chain = (ordered: readonly [number, number][]): [number, number][] => {
    const hull: [number, number][] = [];
    for (const point of ordered) {
      for (;;) {
        const [a, b] = [hull.at(-2), hull.at(-1)];
        if (a === undefined || b === undefined || turn(a, b, point) > 0) break;
        hull.pop();
      }
      hull.push(point);
    }
    return hull.slice(0, -1);
  };
  return [...chain(sorted), ...chain(sorted.reverse())];
}

function turn(
  a: readonly [number, number],
  b: readonly [number, number],
  c: readonly [number, number],
): number {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/** How far a point lies within a convex outline; negative outside. */
function insideM(outline: readonly [number, number][], xM: number, yM: number): number {
  let least = Infinity;
  for (const [k, a] of outline.entries()) {
    const b = outline[(k + 1) % outline.length] ?? a;
    const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
    if (length > 0) least = Math.min(least, turn(a, b, [xM, yM]) / length);
  }
  return least;
}

function smooth(from: number, to: number, value: number): number {
  const share = clamp((value - from) / (to - from), 0, 1);
  return share * share * (3 - 2 * share);
}

function at(values: ArrayLike<number>, index: number): number {
  return values[index] ?? 0;
}
