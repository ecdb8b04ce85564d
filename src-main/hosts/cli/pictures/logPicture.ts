// The picture of a log: its returns from above, and the places of its sensor are in the extent.
import type { Columns, ReturnTable } from '#contract/columns.ts';
import type { Replies } from '#contract/host/methods.ts';
import { countText } from '#domain/shared/formats.ts';
import { createCloudPicture } from './cloudPicture.ts';

/** A PNG. `parts`: the chunks of log.show. */
export function drawLog(
  name: string,
  { extentM, originM, returns, misses, missesInferred, seconds }: Replies['log.show'],
  parts: readonly Columns[],
): Uint8Array {
  const [x, y, z] = originM;
  const inLog = (corner: readonly [number, number, number]): [number, number, number] => [
    corner[0] - x,
    corner[1] - y,
    corner[2] - z,
  ];
  const minM = inLog(extentM?.minM ?? [x, y, z]);
  const maxM = inLog(extentM?.maxM ?? [x + 1, y + 1, z + 1]);
  const picture = createCloudPicture({
    title: name,
    subtitle: `${countText(returns)} returns, ${countText(misses + missesInferred)} misses, ${seconds.toFixed(1)} s`,
    minM,
    maxM: [Math.max(maxM[0], minM[0] + 1), Math.max(maxM[1], minM[1] + 1), maxM[2]],
  });
  for (const columns of parts) {
    // Why the cast: log.show sends these columns of returns.
    const table = columns as ReturnTable;
    picture.add(table, table.x_m?.length ?? 0);
  }
  return picture.draw([]);
}
