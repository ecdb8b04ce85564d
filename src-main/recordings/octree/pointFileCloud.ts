// The points of a file of another program (LAS, LAZ, PLY, PCD) as a cloud for an octree, in metres.
import { openPointFile, readPoints, type PointRows } from '../foreign/points/pointFile.ts';
import {
  classNames,
  colourNames,
  intensityNames,
  type PointFile,
} from '../foreign/points/pointLayout.ts';
import type { CloudPoints } from './buildOctree.ts';
import { pointBlocks } from './pointBlocks.ts';

export interface PointFileOptions {
  file: string;
  key: string;
  /** Metres of a unit of x and y, and of z. */
  metres: { level: number; height: number };
}

/** Coordinates beyond, in units of the file, are of the world, and positions count from their first one. */
const farFromZero = 10_000;

/** Colours are judged by so many points. */
const judgedPoints = 4_000_000;

/** Points that are flagged as withheld, and those without a place, are left out. @throws as readPoints */
export async function cloudOfPointFile({
  file,
  key,
  metres,
}: PointFileOptions): Promise<CloudPoints> {
  const layout = await openPointFile(file);
  const { isWorld, originM, frameM, classes, points } = layout;
  const zero = isWorld ? originM : frameM;
  const shift = isWorld ? ([0, 0, 0] as const) : await firstPlace(file, layout);
  const colourScale = await colourScaleOf(file, layout);
  const { level, height } = metres;
  const scale = [level, level, height] as const;
  const inWorld = (axis: 0 | 1 | 2): number => scale[axis] * (zero[axis] + shift[axis]);
  async function* tables() {
    for await (const rows of readPoints(file, layout)) yield columnsOf(rows);
  }
  return {
    file,
    key,
    maxPoints: points,
    originM: [inWorld(0), inWorld(1), inWorld(2)],
    classes,
    hasColour: colourScale !== null,
    blocks: () =>
      pointBlocks(
        tables(),
        ({ rows }) => rows,
        ({ x, y, z, intensity, classId, colours, withheld }, row, point) => {
          point.xM = level * ((x[row] ?? NaN) - shift[0]);
          point.yM = level * ((y[row] ?? NaN) - shift[1]);
          point.zM = height * ((z[row] ?? NaN) - shift[2]);
          point.intensity = intensity?.[row] ?? NaN;
          point.classId = classId?.[row] ?? 0;
          point.rgb = colourScale === null ? 0 : rgbAt(colours, row, colourScale);
          return withheld?.[row] !== 1 && Number.isFinite(point.xM + point.yM + point.zM);
        },
      ),
  };
}

function columnsOf(rows: PointRows) {
  const none = new Float64Array(0);
  return {
    rows: rows.points,
    x: rows.valuesOf('x') ?? none,
    y: rows.valuesOf('y') ?? none,
    z: rows.valuesOf('z') ?? none,
    intensity: rows.firstOf(intensityNames),
    classId: rows.firstOf(classNames),
    colours: coloursOf(rows),
    withheld: rows.valuesOf('withheld'),
  };
}

function coloursOf(rows: PointRows): Float64Array[] {
  const channels = colourNames.map((name) => rows.valuesOf(name));
  return channels.filter((channel) => channel !== null);
}

/** A byte for each of red, green and blue. */
function rgbAt(colours: readonly Float64Array[], row: number, scale: number): number {
  const [red = 0, green = 0, blue = 0] = colours.map((channel) =>
    Math.max(0, Math.min(255, Math.round(scale * (channel[row] ?? 0)) || 0)),
  );
  return (red << 16) | (green << 8) | blue;
}

/**
 * Factor that makes bytes of colours; null: the file has none, or they are all zero. Why by the values: fields of
 * 16 bit hold 8-bit values in many files (LAS specification 1.4, Red), and real numbers those from 0 to 1 or to 255.
 */
async function colourScaleOf(file: string, layout: PointFile): Promise<number | null> {
  if (!colourNames.every((name) => layout.fields.has(name))) return null;
  let [judged, highest] = [0, 0];
  for await (const rows of readPoints(file, layout)) {
    for (const channel of coloursOf(rows)) {
      for (const value of channel) if (value > highest) highest = value;
    }
    judged += rows.points;
    if (highest > 255 || judged >= judgedPoints) break;
  }
  if (highest > 255) return 255 / 65_535;
  if (highest > 1) return 1;
  return highest > 0 ? 255 : null;
}

/** Whole units; zero for a cloud about its own zero. */
async function firstPlace(file: string, layout: PointFile): Promise<[number, number, number]> {
  for await (const rows of readPoints(file, layout)) {
    const { x, y, z } = columnsOf(rows);
    const row = x.findIndex((value, at) => Number.isFinite(value + (y[at] ?? 0) + (z[at] ?? 0)));
    if (row < 0) continue;
    const place = [x[row] ?? 0, y[row] ?? 0, z[row] ?? 0] as const;
    if (place.every((value) => Math.abs(value) < farFromZero)) break;
    return [Math.round(place[0]), Math.round(place[1]), Math.round(place[2])];
  }
  return [0, 0, 0];
}
