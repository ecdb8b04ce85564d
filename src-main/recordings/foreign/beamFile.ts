// LAS, LAZ, PCD and PLY files whose rows say where each pulse began: those of our own scans, surveys and logs, and of others
// that have the same fields.
import { type Columns, neededBeamColumns } from '#contract/columns.ts';
import { throwIfCancelled } from '#contract/errors.ts';
import type { BeamSource } from '#services/ports/logSources.ts';
import { openPointFile, type PointRows, readPoints } from './points/pointFile.ts';
import type { PointFile } from './points/pointLayout.ts';

/** Names in files, by the names of returns; the first that a file has counts. */
const fileNames: Readonly<Record<string, readonly string[]>> = {
  time_ns: ['time_ns'],
  pulse: ['pulse'],
  ring: ['ring'],
  azimuth_rad: ['azimuth_rad'],
  return_no: ['return_no'],
  range_m: ['range_m'],
  intensity: ['relative_intensity', 'intensity'],
  x_m: ['x'],
  y_m: ['y'],
  z_m: ['z'],
  beam_origin_x_m: ['beam_origin_x_m', 'beamoriginx'],
  beam_origin_y_m: ['beam_origin_y_m', 'beamoriginy'],
  beam_origin_z_m: ['beam_origin_z_m', 'beamoriginz'],
  beam_direction_x: ['beam_direction_x', 'beamdirectionx'],
  beam_direction_y: ['beam_direction_y', 'beamdirectiony'],
  beam_direction_z: ['beam_direction_z', 'beamdirectionz'],
  class_id: ['class_id'],
  object_id: ['object_id'],
  true_range_m: ['true_range_m'],
  beam_share: ['beam_share'],
  label: ['label'],
};

/** Null: it does not say where pulses began. @throws as openPointFile */
export async function openBeamFile(file: string): Promise<BeamSource | null> {
  const layout = await openPointFile(file);
  const found = new Map<string, string>();
  for (const [name, known] of Object.entries(fileNames)) {
    const own = known.find((candidate) => layout.fields.has(candidate));
    if (own !== undefined) found.set(name, own);
  }
  const isLas = layout.isWorld;
  if (isLas) {
    if (layout.fields.has('gps_time')) found.set('time_ns', 'gps_time');
    // Classes of LAS are codes, which the file's table names.
    found.set('class_id', 'classification');
  }
  if (!neededBeamColumns.every((name) => found.has(name))) return null;
  return {
    kind: 'beams',
    // Beams of LAS are in the world, whatever its points count from.
    originM: isLas ? [0, 0, 0] : layout.frameM,
    system: layout.system,
    classes: layout.classes,
    volumeClasses: layout.volumeClasses,
    names: [...found.keys()],
    rows: layout.points,
    close: () => Promise.resolve(),
    async *tables(signal) {
      for await (const rows of readPoints(file, layout)) {
        throwIfCancelled(signal);
        yield { columns: columnsOf(rows, found, layout), rows: rows.points };
      }
    },
  };
}

function columnsOf(
  rows: PointRows,
  names: ReadonlyMap<string, string>,
  { isWorld, originM }: PointFile,
): Columns {
  const columns: Record<string, Float64Array> = {};
  for (const [name, own] of names) {
    const values = rows.valuesOf(own);
    if (values !== null) columns[name] = values;
  }
  if (!isWorld) return columns;
  const changed = (name: string, change: (value: number, row: number) => number): void => {
    const values = columns[name];
    if (values !== undefined) columns[name] = values.map(change);
  };
  for (const [axis, name] of ['x_m', 'y_m', 'z_m'].entries()) {
    changed(name, (m) => m + (originM[axis] ?? 0));
  }
  changed('time_ns', (timeS) => timeS * 1e9);
  // A withheld point of a beam is a pulse without an echo.
  const withheld = rows.valuesOf('withheld');
  changed('return_no', (returnNo, row) => (withheld?.[row] === 1 ? 0 : returnNo));
  return columns;
}
