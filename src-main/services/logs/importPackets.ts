// A log from a capture of a sensor's packets: each pulse from the pose that a trajectory gives for its own time.
import type { Columns } from '#contract/columns.ts';
import { badInput } from '#contract/errors.ts';
import type { Pose } from '#contract/host/run.ts';
import { type SensorPath, sensorPath } from '#domain/log/frameGraph.ts';
import { countText } from '#domain/shared/formats.ts';
import { statedSystem } from '#domain/shared/systemUnits.ts';
import { rotate } from '#domain/shared/pose.ts';
import type { HandlerContext } from '#services/handlers.ts';
import type { BeamSource, PacketSource, SourceTrajectory } from '#services/ports/logSources.ts';
import { importBeamFile } from './importBeamFile.ts';

/** Pulses without a pose up to this share are left out, more are refused. */
const maxUncoveredShare = 0.1;

/** Writes the log. @throws as importBeamFile, and 'bad-input' without poses or where they do not cover the pulses */
export async function importPackets(
  ports: Parameters<typeof importBeamFile>[0],
  source: PacketSource,
  trajectory: SourceTrajectory | null,
  request: Parameters<typeof importBeamFile>[2],
  context: HandlerContext,
): Promise<{ notes: string[] }> {
  if (trajectory === null) {
    const message = 'expected the poses of the sensor (--trajectory), found none';
    throw badInput('trajectory', message, { title: 'the source has no poses' });
  }
  const { timesNs, poses } = trajectory;
  const isStatic = request.pose !== undefined;
  const edge = { parent: 'world', child: 'sensor', isStatic, timesNs, poses };
  const path = sensorPath([edge], 'sensor', {
    isInverse: request.isInverse,
    maxGapNs: request.maxGapS === undefined ? undefined : request.maxGapS * 1e9,
  });
  if (path === null) throw badInput('trajectory', 'expected poses, found none');
  const posed = posedBeams(source, path, trajectory);
  const { notes } = await importBeamFile(ports, posed.source, request, context);
  const left = posed.withoutPose();
  const lost = left > 0 ? [`${countText(left)} pulses without a pose were left out`] : [];
  return { notes: [`packets of a ${source.model}`, ...source.notes, ...lost, ...notes] };
}

function posedBeams(
  source: PacketSource,
  path: SensorPath,
  { baseNs, poses: [first] }: SourceTrajectory,
): { source: BeamSource; withoutPose: () => number } {
  const originM = first?.positionM ?? [0, 0, 0];
  let withoutPose = 0;
  const { kind, rows } = source;
  return {
    withoutPose: () => withoutPose,
    source: {
      kind,
      originM,
      system: statedSystem(null),
      classes: [],
      volumeClasses: null,
      names: ['time_ns', 'pulse', 'ring', 'azimuth_rad', 'return_no', 'range_m', 'intensity'],
      rows,
      async *tables(signal) {
        let [pulses, uncovered] = [0, 0];
        for await (const table of source.tables(signal)) {
          const posed = withPoses(table, path, baseNs, originM);
          pulses += table.rows;
          uncovered += table.rows - posed.rows;
          if (posed.rows > 0) yield posed;
        }
        withoutPose = uncovered;
        if (uncovered <= maxUncoveredShare * pulses) return;
        const share = Math.round((100 * uncovered) / pulses);
        const seconds = (ns: number): string => ((Number(baseNs) + ns) / 1e9).toFixed(3);
        const span = `${seconds(path.fromNs)} to ${seconds(path.toNs)} s`;
        const message = `expected poses for all pulses, found none for ${share} % of them (poses from ${span} since 1970)`;
        throw badInput('poses', message, { title: 'the poses do not cover the log' });
      },
      close: () => source.close(),
    },
  };
}

/** The rows with a pose, with where each pulse began and its direction in the world. */
function withPoses(
  { columns, rows }: { columns: Columns; rows: number },
  path: SensorPath,
  baseNs: bigint,
  originM: Pose['positionM'],
): { columns: Columns; rows: number } {
  const kept: number[] = [];
  const origins = [new Float64Array(rows), new Float64Array(rows), new Float64Array(rows)];
  const directions = [new Float32Array(rows), new Float32Array(rows), new Float32Array(rows)];
  for (let row = 0; row < rows; row++) {
    const of = (name: string): number => Number(columns[name]?.[row] ?? NaN);
    const timeNs = BigInt(columns['time_ns']?.[row] ?? 0) - baseNs;
    const pose = path.poseAt(Number(timeNs));
    if (pose === null) continue;
    const direction = rotate(pose.rotation, [
      of('direction_x'),
      of('direction_y'),
      of('direction_z'),
    ]);
    for (const axis of [0, 1, 2] as const) {
      const at = kept.length;
      (origins[axis] as Float64Array)[at] = pose.positionM[axis] - originM[axis];
      (directions[axis] as Float32Array)[at] = direction[axis];
    }
    kept.push(row);
  }
  const beams = kept.length;
  const taken = Object.entries(columns).flatMap(([name, values]): [string, Columns[string]][] =>
    /^direction_/.test(name) ? [] : [[name, picked(values, kept)]],
  );
  const axes = ['x', 'y', 'z'].flatMap((axis, index): [string, Columns[string]][] => [
    [`beam_origin_${axis}_m`, (origins[index] as Float64Array).subarray(0, beams)],
    [`beam_direction_${axis}`, (directions[index] as Float32Array).subarray(0, beams)],
  ]);
  return { columns: Object.fromEntries([...taken, ...axes]), rows: beams };
}

function picked<T extends Columns[string]>(values: T, rows: readonly number[]): T {
  if (rows.length === values.length) return values;
  const some = values.slice(0, rows.length);
  for (const [at, row] of rows.entries()) some[at] = values[row] ?? 0;
  return some as T;
}
