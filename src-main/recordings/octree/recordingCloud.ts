// The returns of a recording as a cloud for an octree: of all its sensors or of one, each where its sensor was then.
import { recordsTruth } from '#contract/documents/scenario.ts';
import { originOf } from '#contract/worldOrigin.ts';
import type { RecordedScan, RecordingReader } from '#services/ports/recordings.ts';
import type { CloudPoints } from './buildOctree.ts';
import { pointBlocks } from './pointBlocks.ts';

export interface RecordingCloudOptions {
  file: string;
  key: string;
  /** At least as many as there are. */
  maxPoints: number;
  /** Its place in the scenario; null: all. */
  sensor: number | null;
}

/** Returns relative to the origin of the scene. @throws as RecordingReader.scans */
export function cloudOfRecording(
  { header, scans }: Pick<RecordingReader, 'header' | 'scans'>,
  { file, key, maxPoints, sensor }: RecordingCloudOptions,
): CloudPoints {
  const { scenario } = header.compiled;
  async function* chosen(): AsyncGenerator<RecordedScan> {
    for await (const scan of scans()) if (sensor === null || scan.sensor === sensor) yield scan;
  }
  return {
    file,
    key,
    maxPoints,
    originM: [...originOf(scenario.scene)],
    classes: recordsTruth(scenario) ? header.classes : [],
    blocks: () =>
      pointBlocks(
        chosen(),
        ({ rows }) => rows,
        ({ table }, row, point) => {
          point.xM = table.x_m?.[row] ?? NaN;
          point.yM = table.y_m?.[row] ?? NaN;
          point.zM = table.z_m?.[row] ?? NaN;
          point.intensity = table.intensity?.[row] ?? NaN;
          point.classId = table.class_id?.[row] ?? 0;
          return true;
        },
      ),
  };
}
