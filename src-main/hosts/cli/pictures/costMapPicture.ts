// The cost map as a picture (Goodin 2018, figure 10): black is zero cost, brighter is higher; with the
// planned and the driven path, the vehicle, start and goal.
import { unknownCost } from '#contract/host/run.ts';
import type { RecordedMap } from '#services/ports/recordings.ts';
import type { Point, Rgb } from './canvas.ts';
import { greyColour, markColours } from './colourMaps.ts';
import { createMapFrame } from './frame.ts';

export interface CostMapPicture {
  title: string;
  subtitle: string;
  map: RecordedMap;
  /** World coordinates, metres. */
  plannedM: readonly Point[];
  drivenM: readonly Point[];
  vehicle: {
    positionM: readonly [number, number];
    yawRad: number;
    sizeM: readonly [number, number];
  };
  startM: readonly [number, number];
  goalM: readonly [number, number];
}

/** Cells that no point ever fell into: distinguished from cells known to be free. */
const unknownColour: Rgb = [14, 22, 44];

/** A PNG. */
export function drawCostMap(picture: CostMapPicture): Uint8Array {
  const { map, plannedM, drivenM, startM, goalM } = picture;
  const { cells, cellM, originM } = map.geometry;
  const sideM = cells * cellM;
  const frame = createMapFrame({
    title: picture.title,
    subtitle: picture.subtitle,
    minM: originM,
    maxM: [originM[0] + sideM, originM[1] + sideM],
    longSidePx: cells * Math.max(1, Math.round(1200 / cells)),
    bar: { label: 'cost', from: '0', to: '100', colour: greyColour },
    legend: [
      { colour: unknownColour, label: 'not seen', mark: 'box' },
      { colour: markColours.skyBlue, label: 'planned path', mark: 'line' },
      { colour: markColours.orange, label: 'driven path', mark: 'line' },
      { colour: markColours.vermilion, label: 'vehicle', mark: 'box' },
      { colour: markColours.yellow, label: 'start', mark: 'disc' },
      { colour: markColours.green, label: 'goal', mark: 'ring' },
    ],
  });
  const { canvas, toPx, mapPx } = frame;
  const cellPx = mapPx.width / cells;
  for (let row = 0; row < cells; row += 1) {
    for (let column = 0; column < cells; column += 1) {
      const cost = map.cost[row * cells + column] ?? unknownCost;
      const left = mapPx.left + column * cellPx;
      const top = mapPx.top + mapPx.height - (row + 1) * cellPx;
      const colour = cost === unknownCost ? unknownColour : greyColour(cost / 100);
      canvas.fillRect(left, top, cellPx, cellPx, colour);
    }
  }
  const toPixels = (points: readonly Point[]): Point[] => points.map(([x, y]) => toPx(x, y));
  canvas.line(toPixels(plannedM), 4, markColours.skyBlue);
  canvas.line(toPixels(drivenM), 4, markColours.orange);
  const [start, goal] = [toPx(...startM), toPx(...goalM)];
  canvas.disc(start, 8, [0, 0, 0]);
  canvas.disc(start, 6.5, markColours.yellow);
  canvas.ring(goal, 11, 7, [0, 0, 0]);
  canvas.ring(goal, 11, 5, markColours.green);
  canvas.disc(goal, 3, markColours.green);
  const corners = toPixels(vehicleCorners(picture.vehicle));
  canvas.polygon(corners, markColours.vermilion);
  canvas.line([...corners, ...corners.slice(0, 1)], 2, [255, 255, 255]);
  return canvas.png();
}

/** Corners of the footprint in the world, counter-clockwise, and a nose that shows where front is. */
function vehicleCorners({ positionM, yawRad, sizeM }: CostMapPicture['vehicle']): Point[] {
  const [halfLengthM, halfWidthM] = [sizeM[0] / 2, sizeM[1] / 2];
  const outline: Point[] = [
    [-halfLengthM, -halfWidthM],
    [halfLengthM * 0.5, -halfWidthM],
    [halfLengthM * 1.2, 0],
    [halfLengthM * 0.5, halfWidthM],
    [-halfLengthM, halfWidthM],
  ];
  const [cos, sin] = [Math.cos(yawRad), Math.sin(yawRad)];
  return outline.map(([x, y]) => [
    positionM[0] + cos * x - sin * y,
    positionM[1] + sin * x + cos * y,
  ]);
}
