// The picture of a log from above: its returns by height, and the path of its sensor. Heights and extent leave out the
// outermost points, so that a few far ones do not make all others small and of one colour.
import type { Columns, ReturnTable } from '#contract/columns.ts';
import type { Replies } from '#contract/host/methods.ts';
import { countText } from '#domain/shared/formats.ts';
import { createCloudPicture } from './cloudPicture.ts';

/** Points that say where most are. */
const sampledPoints = 100_000;
/** Points of the drawn path. */
const pathPoints = 2000;
/** Share that is left out on either side. */
const outermost = 0.005;

type Column = 'x_m' | 'y_m' | 'z_m' | 'origin_x_m' | 'origin_y_m';

/** A PNG. `parts`: the chunks of log.show. */
export function drawLog(
  name: string,
  { originM, returns, misses, missesInferred, unknown, seconds }: Replies['log.show'],
  parts: readonly Columns[],
): Uint8Array {
  const total = parts.reduce((sum, { x_m }) => sum + (x_m?.length ?? 0), 0);
  const path = sampled(parts, total, pathPoints, ['origin_x_m', 'origin_y_m']);
  const points = sampled(parts, total, sampledPoints, ['x_m', 'y_m', 'z_m']);
  const [x, y, z] = [spanOf(points[0]), spanOf(points[1]), spanOf(points[2])];
  const drivenM = Array.from(path[0] ?? [], (east, at): [number, number] => {
    return [east, path[1]?.[at] ?? 0];
  });
  const withPath = ([from, to]: readonly [number, number], axis: 0 | 1): [number, number] => {
    const own = drivenM.map((place) => place[axis]);
    const [low, high] = [Math.min(from, ...own), Math.max(to, ...own)];
    const middle = (low + high) / 2;
    const half = Math.max(1, 0.52 * (high - low));
    return [middle - half, middle + half];
  };
  const [across, up] = [withPath(x, 0), withPath(y, 1)];
  const all = misses + missesInferred;
  const statements = [
    `${countText(returns)} returns`,
    `${countText(all)} misses${missesInferred > 0 ? ' (inferred)' : ''}`,
    ...(unknown > 0 ? [`${countText(unknown)} unknown`] : []),
    `${seconds.toFixed(1)} s`,
    ...(originM.some((m) => m !== 0) ? [`from (${originM.join(', ')}) m`] : []),
  ];
  const picture = createCloudPicture({
    title: name.split('/').at(-1) ?? name,
    subtitle: statements.join(', '),
    minM: [across[0], up[0], z[0]],
    maxM: [across[1], up[1], Math.max(z[1], z[0] + 0.1)],
    path: 'path of the sensor',
  });
  for (const columns of parts) {
    // Why the cast: log.show sends these columns of returns.
    const table = columns as ReturnTable;
    picture.add(table, table.x_m?.length ?? 0);
  }
  return picture.draw(drivenM);
}

/** Some of the rows of all parts, evenly chosen. */
function sampled(
  parts: readonly Columns[],
  total: number,
  most: number,
  names: readonly Column[],
): Float32Array[] {
  const step = Math.max(1, Math.ceil(total / most));
  return names.map((name) => {
    const values: number[] = [];
    let before = 0;
    for (const columns of parts) {
      const column = columns[name];
      const first = (step - (before % step)) % step;
      for (let row = first; row < (column?.length ?? 0); row += step) {
        values.push(Number(column?.[row] ?? 0));
      }
      before += column?.length ?? 0;
    }
    return Float32Array.from(values);
  });
}

/** Where all but the outermost values are. */
function spanOf(values: Float32Array | undefined): readonly [number, number] {
  const sorted = Float32Array.from(values ?? []).sort();
  const at = (share: number): number => sorted[Math.round(share * (sorted.length - 1))] ?? 0;
  return [at(outermost), at(1 - outermost)];
}
