// Sources whose positions are in another unit than metres, as sources in metres.
import type { Columns } from '#contract/columns.ts';
import type { BeamSource, LogSourceReader, SourceCloud } from '#services/ports/logSources.ts';
import type { SourceSystem } from './sourceSystem.ts';

type Metres = SourceSystem['metres'];
type Position = readonly [number, number, number];

/** Points of the world and the poses beside them are converted; those in a sensor's frame are metres. */
export function readerInMetres(reader: LogSourceReader, metres: Metres): LogSourceReader {
  if (isMetric(metres) || !reader.traits.isWorld) return reader;
  const poses = reader.poses.map((path) => {
    if (path.kind !== 'file') return path;
    const converted = path.poses.map((pose) => {
      return { ...pose, positionM: positionInMetres(pose.positionM, metres) };
    });
    return { ...path, poses: converted };
  });
  return {
    ...reader,
    originM: positionInMetres(reader.originM, metres),
    poses,
    async *clouds(stream, progress) {
      for await (const cloud of reader.clouds(stream, progress)) yield inMetres(cloud, metres);
    },
    close: () => reader.close(),
  };
}

/** Likewise, with the places where pulses began. Their ranges are metres. */
export function beamsInMetres(source: BeamSource, metres: Metres): BeamSource {
  if (isMetric(metres)) return source;
  const factors = new Map<string, number>(
    ['x', 'y', 'z'].flatMap((axis) => {
      const factor = axis === 'z' ? metres.height : metres.level;
      const names = [`${axis}_m`, `beam_origin_${axis}_m`, `beam_direction_${axis}`];
      return names.map((name) => [name, factor] as const);
    }),
  );
  return {
    ...source,
    originM: positionInMetres(source.originM, metres),
    async *tables(signal) {
      for await (const { columns, rows } of source.tables(signal)) {
        const converted: Columns = {};
        for (const [name, values] of Object.entries(columns)) {
          const factor = factors.get(name) ?? 1;
          const isNumbers = values instanceof Float64Array || values instanceof Float32Array;
          converted[name] =
            factor === 1 || !isNumbers ? values : Float64Array.from(values, (m) => m * factor);
        }
        yield { columns: converted, rows };
      }
    },
    close: () => source.close(),
  };
}

function isMetric({ level, height }: Metres): boolean {
  return level === 1 && height === 1;
}

function positionInMetres(
  [x, y, z]: Position,
  { level, height }: Metres,
): [number, number, number] {
  return [x * level, y * level, z * height];
}

function inMetres(cloud: SourceCloud, { level, height }: Metres): SourceCloud {
  const times = (values: Float64Array, factor: number): Float64Array =>
    values.map((m) => m * factor);
  const { xM, yM, zM } = cloud;
  return { ...cloud, xM: times(xM, level), yM: times(yM, level), zM: times(zM, height) };
}
