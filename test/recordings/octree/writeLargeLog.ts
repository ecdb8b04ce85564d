// Writes a log of made-up beams for measurements of large clouds: a vehicle on a straight track of 1 km through trees.
//   node test/recordings/octree/writeLargeLog.ts FILE RETURNS
import { logHeadSchema, type LogTable } from '#contract/log/log.ts';
import { createExporters } from '#recordings/export/exporters.ts';
import { createLogs } from '#recordings/log/logs.ts';
import { goldenHead } from '#test/recordings/log/writeGolden.ts';

const trackM = 1000;
const sensorM = 2;
const rows = 65_536;

/** Returns of ground and of trees every 6 m, each a trunk and a crown; the same for equal numbers of returns. */
export async function writeLargeLog(file: string, returns: number): Promise<void> {
  const logs = createLogs(createExporters({ dataFolder: null }));
  const head = logHeadSchema.parse({
    ...goldenHead,
    classes: ['ground', 'tree'],
    misses: 'unknown',
    cuts: { ...goldenHead.cuts, azimuthDeg: null },
    columns: [
      ...goldenHead.columns.filter((name) => name !== 'label' && name !== 'class_id'),
      'class_id',
    ],
  });
  const writer = await logs.create(file, head, { isReplacing: true });
  const table = emptyTable();
  let state = 1;
  const random = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  for (let done = 0; done < returns; done += rows) {
    const count = Math.min(rows, returns - done);
    for (let row = 0; row < count; row += 1) setBeam(table, row, (done + row) / returns, random);
    await writer.write(table, count);
  }
  await writer.close();
}

function emptyTable(): LogTable {
  return {
    time_ns: new BigInt64Array(rows),
    sweep: new Uint32Array(rows),
    laser: new Uint16Array(rows),
    state: new Uint8Array(rows).fill(1),
    range_m: new Float32Array(rows),
    intensity: new Float32Array(rows),
    azimuth_rad: new Float32Array(rows),
    origin_x_m: new Float64Array(rows),
    origin_y_m: new Float64Array(rows),
    origin_z_m: new Float64Array(rows),
    direction_x: new Float32Array(rows),
    direction_y: new Float32Array(rows),
    direction_z: new Float32Array(rows),
    class_id: new Uint16Array(rows),
  };
}

/** A beam at a share of the track to a point of the ground or of a tree. */
function setBeam(table: LogTable, row: number, share: number, random: () => number): void {
  const xM = share * trackM;
  const isTree = random() < 0.5;
  const awayM = 2 + 60 * random() ** 2;
  const turn = 2 * Math.PI * random();
  let [atX, atY, atZ] = [xM + awayM * Math.cos(turn), awayM * Math.sin(turn), 0.1 * random()];
  if (isTree) {
    const [treeX, treeY] = [6 * Math.round(atX / 6), 6 * Math.floor(atY / 6) + 3];
    const upM = 12 * random();
    const radiusM = upM < 4 ? 0.2 : 2 * Math.sqrt(random());
    const around = 2 * Math.PI * random();
    [atX, atY, atZ] = [treeX + radiusM * Math.cos(around), treeY + radiusM * Math.sin(around), upM];
  }
  const [dx, dy, dz] = [atX - xM, atY, atZ - sensorM];
  const rangeM = Math.hypot(dx, dy, dz);
  table.origin_x_m[row] = xM;
  table.origin_z_m[row] = sensorM;
  table.range_m[row] = rangeM;
  table.direction_x[row] = dx / rangeM;
  table.direction_y[row] = dy / rangeM;
  table.direction_z[row] = dz / rangeM;
  table.azimuth_rad[row] = Math.atan2(dy, dx);
  table.time_ns[row] = BigInt(Math.round(share * 1e11));
  table.intensity[row] = isTree ? 0.3 : 0.6;
  if (table.class_id !== undefined) table.class_id[row] = isTree ? 1 : 0;
}

const [, script, file, returns] = process.argv;
if (script === import.meta.filename && file !== undefined)
  await writeLargeLog(file, Number(returns));
