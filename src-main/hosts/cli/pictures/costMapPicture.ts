// The cost map as a picture (Goodin 2018, figure 10): black is zero cost, brighter is higher; with the
// planned and the driven path, the vehicle, start and goal.
import { greyColour, markColours, toHex } from '#domain/shared/colours.ts';
import { costMapPixels, unseenColour } from '#domain/shared/costMapImage.ts';
import type { Series, Shape } from '#domain/charts/chart.ts';
import type { RecordedMap } from '#services/ports/recordings.ts';
import { drawMapPage } from './mapPage.ts';
import { imageUrl } from './png.ts';

type Point = readonly [xM: number, yM: number];

export interface CostMapPicture {
  title: string;
  subtitle: string;
  map: RecordedMap;
  /** World coordinates, metres. */
  plannedM: readonly Point[];
  drivenM: readonly Point[];
  vehicle: {
    positionM: Point;
    yawRad: number;
    sizeM: readonly [number, number];
  };
  startM: Point;
  goalM: Point;
}

const colours = {
  planned: toHex(markColours.skyBlue),
  driven: toHex(markColours.orange),
  vehicle: toHex(markColours.vermilion),
  start: toHex(markColours.yellow),
  goal: toHex(markColours.green),
};

/** A PNG: whole pixels for each cell, about 1200 for the map. */
export function drawCostMap(picture: CostMapPicture): Uint8Array {
  const { map, startM, goalM } = picture;
  const { cells, cellM, originM } = map.geometry;
  const sideM = cells * cellM;
  const sidePx = cells * Math.max(1, Math.round(1200 / cells));
  return drawMapPage({
    title: picture.title,
    subtitle: picture.subtitle,
    minM: originM,
    maxM: [originM[0] + sideM, originM[1] + sideM],
    sizePx: { width: sidePx, height: sidePx },
    imageUrl: costMapImage(map, sidePx / cells),
    layers: {
      series: [
        ...pathSeries('planned path', picture.plannedM, colours.planned),
        ...pathSeries('driven path', picture.drivenM, colours.driven),
        points('start', startM, { colour: colours.start, sizePx: 16, edgeColour: '#000000' }),
        // Why twice: green alone is lost on grey.
        points('goal', goalM, { edgeColour: '#000000', sizePx: 30, isHollow: true }),
        points('goal', goalM, { edgeColour: colours.goal, sizePx: 24, isHollow: true }),
        points('goal', goalM, { colour: colours.goal, sizePx: 6 }),
      ],
      shapes: [vehicleShape(picture.vehicle)],
    },
    bar: {
      label: 'Cost',
      ticks: [0, 25, 50, 75, 100].map((cost) => ({ share: cost / 100, label: String(cost) })),
      colour: greyColour,
    },
    legend: [
      { colour: toHex(unseenColour), label: 'not seen', mark: 'box' },
      { colour: colours.planned, label: 'planned path', mark: 'line' },
      { colour: colours.driven, label: 'driven path', mark: 'line' },
      { colour: colours.vehicle, label: 'vehicle', mark: 'box' },
      { colour: colours.start, label: 'start', mark: 'disc' },
      { colour: colours.goal, label: 'goal', mark: 'ring' },
    ],
  });
}

/** `cellPx` × `cellPx` pixels a cell, so that no pixel is a mean of two cells. */
function costMapImage({ geometry, cost }: RecordedMap, cellPx: number): string {
  const { cells } = geometry;
  const small = new Uint32Array(costMapPixels(geometry, cost).buffer);
  const sidePx = cells * cellPx;
  const large = new Uint32Array(sidePx * sidePx);
  for (let y = 0; y < sidePx; y += 1) {
    const row = cells * Math.floor(y / cellPx);
    for (let x = 0; x < sidePx; x += 1) {
      large[y * sidePx + x] = small[row + Math.floor(x / cellPx)] ?? 0;
    }
  }
  return imageUrl(new Uint8Array(large.buffer), sidePx, sidePx);
}

/** A line with a dark edge, to be seen on black and on white cells. */
export function pathSeries(name: string, data: readonly Point[], colour: string): Series[] {
  return [
    { name: `${name} (edge)`, kind: 'line', data, colour: '#000000', sizePx: 7 },
    { name, kind: 'line', data, colour, sizePx: 4 },
  ];
}

function points(name: string, at: Point, style: Partial<Series>): Series {
  return { name, kind: 'points', data: [at], ...style };
}

/** The footprint in the world, with a nose that shows where front is. */
function vehicleShape({ positionM, yawRad, sizeM }: CostMapPicture['vehicle']): Shape {
  const [halfLengthM, halfWidthM] = [sizeM[0] / 2, sizeM[1] / 2];
  const outline: Point[] = [
    [-halfLengthM, -halfWidthM],
    [halfLengthM * 0.5, -halfWidthM],
    [halfLengthM * 1.2, 0],
    [halfLengthM * 0.5, halfWidthM],
    [-halfLengthM, halfWidthM],
  ];
  const [cos, sin] = [Math.cos(yawRad), Math.sin(yawRad)];
  return {
    points: outline.map(([x, y]) => [
      positionM[0] + cos * x - sin * y,
      positionM[1] + sin * x + cos * y,
    ]),
    fill: colours.vehicle,
    stroke: '#ffffff',
    strokePx: 2,
  };
}
