// The path of a run on its last cost map, as an SVG for a page. Coordinates of the axes are those of the world.
import { costMapPixels } from '#domain/shared/costMapImage.ts';
import { withMinus } from '#domain/shared/formats.ts';
import { markup, verbatim, type Markup } from '#domain/shared/markup.ts';
import { multiplesOf, roundBelow } from '#domain/shared/roundNumbers.ts';
import { imageUrl } from '#hosts/cli/pictures/png.ts';
import type { RecordedMap } from '#services/ports/recordings.ts';

type Place = readonly [xM: number, yM: number];

export interface RunMap {
  /** Null: none was recorded. */
  map: RecordedMap | null;
  /** Relative to the origin of the scene, as the map is. */
  plannedM: readonly Place[];
  drivenM: readonly Place[];
  startM: Place | null;
  goalM: Place | null;
  /** World position of the scene's origin. */
  originM: readonly [number, number, number];
}

const sidePx = 640;
const margin = { left: 64, top: 12, right: 12, bottom: 44 };
/** A longer path has places left out. */
const maxPlaces = 2000;

/** Null where nothing was recorded to be drawn. */
export function runMap(run: RunMap): Markup | null {
  const area = areaOf(run);
  if (area === null) return null;
  const { fromM, sideM } = area;
  const pxPerM = sidePx / sideM;
  const px = ([xM, yM]: Place): [number, number] => [
    round(margin.left + (xM - fromM[0]) * pxPerM),
    round(margin.top + sidePx - (yM - fromM[1]) * pxPerM),
  ];
  const width = margin.left + sidePx + margin.right;
  const height = margin.top + sidePx + margin.bottom;
  return markup`<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="Path of the vehicle on the cost map">
<rect class="ground" x="${margin.left}" y="${margin.top}" width="${sidePx}" height="${sidePx}"/>
${run.map === null ? '' : mapImage(run.map)}
${axes(run.originM, fromM, sideM, pxPerM)}
${line('planned', run.plannedM.map(px))}
${line('driven', run.drivenM.map(px))}
${run.startM === null ? '' : disc('start', px(run.startM), 6)}
${run.goalM === null ? '' : disc('goal', px(run.goalM), 9)}
${run.goalM === null ? '' : disc('goal-dot', px(run.goalM), 2.5)}
</svg>`;
}

/** The map, or else a square around the path. */
function areaOf({ map, drivenM, startM, goalM }: RunMap): { fromM: Place; sideM: number } | null {
  if (map !== null) {
    const { originM, cells, cellM } = map.geometry;
    return { fromM: originM, sideM: cells * cellM };
  }
  const places = [...drivenM, ...[startM, goalM].filter((place) => place !== null)];
  if (places.length === 0) return null;
  const [xs, ys] = [places.map(([xM]) => xM), places.map(([, yM]) => yM)];
  const [x0, y0] = [least(xs), least(ys)];
  const [x1, y1] = [-least(xs.map((x) => -x)), -least(ys.map((y) => -y))];
  const sideM = 1.2 * Math.max(x1 - x0, y1 - y0, 5);
  return { fromM: [(x0 + x1 - sideM) / 2, (y0 + y1 - sideM) / 2], sideM };
}

function mapImage({ geometry, cost }: RecordedMap): Markup {
  const { cells } = geometry;
  const url = imageUrl(costMapPixels(geometry, cost), cells, cells);
  return markup`<image x="${margin.left}" y="${margin.top}" width="${sidePx}" height="${sidePx}" href="${verbatim(url)}"/>`;
}

function axes(
  originM: RunMap['originM'],
  fromM: Place,
  sideM: number,
  pxPerM: number,
): readonly Markup[] {
  const stepM = roundBelow(sideM / 4);
  const bottom = margin.top + sidePx;
  const axisOf = (axis: 0 | 1): Markup[] => {
    const from = fromM[axis] + originM[axis];
    return multiplesOf(stepM, from, from + sideM).map((atM) => {
      const along = round((atM - from) * pxPerM);
      const label = metres(atM);
      if (axis === 0) {
        const x = margin.left + along;
        return markup`<path class="tick" d="M${x} ${bottom}v6"/><text x="${x}" y="${bottom + 20}" text-anchor="middle">${label}</text>`;
      }
      const y = bottom - along;
      return markup`<path class="tick" d="M${margin.left} ${y}h-6"/><text x="${margin.left - 9}" y="${y + 4}" text-anchor="end">${label}</text>`;
    });
  };
  return [
    ...axisOf(0),
    ...axisOf(1),
    markup`<text x="${margin.left + sidePx}" y="${bottom + 38}" text-anchor="end">east, north in metres</text>`,
  ];
}

function line(kind: string, places: readonly Place[]): readonly Markup[] {
  if (places.length < 2) return [];
  const every = Math.ceil(places.length / maxPlaces);
  const some = places.filter((_, index) => index % every === 0 || index === places.length - 1);
  const points = some.map(([x, y]) => `${x},${y}`).join(' ');
  return ['edge', kind].map((name) => markup`<polyline class="path ${name}" points="${points}"/>`);
}

function disc(kind: string, [x, y]: Place, radius: number): Markup {
  return markup`<circle class="${kind}" cx="${x}" cy="${y}" r="${radius}"/>`;
}

function metres(valueM: number): string {
  return withMinus(String(Number(valueM.toFixed(2))));
}

function least(values: readonly number[]): number {
  return values.reduce((low, value) => Math.min(low, value), Infinity);
}

/** A hundredth of a pixel. */
function round(px: number): number {
  return Math.round(100 * px) / 100;
}
