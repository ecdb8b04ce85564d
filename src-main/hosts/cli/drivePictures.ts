// The pictures of a drive, drawn from its recording: the cost map after 10 simulated seconds with path and
// vehicle (Goodin 2018, figure 10), the last cost map, and the cloud from above (figure 9b).
import { isZeroOrigin, placeToWorld } from '#contract/worldOrigin.ts';
import { throwIfCancelled } from '#contract/errors.ts';
import { join } from 'node:path';
import type { RunDetails } from '#contract/host/runMethods.ts';
import { createRecordings } from '#recordings/recordings.ts';
import { attitudeOf } from '#domain/shared/pose.ts';
import { documentName } from '#services/documents/documentFiles.ts';
import type {
  RecordedMap,
  RecordedPath,
  RecordedTick,
  RecordingReader,
} from '#services/ports/recordings.ts';
import type { DrivePictureFiles } from './driveReport.ts';
import { writeWhole } from './files.ts';
import { createCloudPicture, type CloudPicture } from './pictures/cloudPicture.ts';
import { drawCostMap } from './pictures/costMapPicture.ts';

export interface DrivePictureOptions {
  run: RunDetails;
  /** Names the files and the titles. */
  sensor: string;
  /** Absolute. */
  outFolder: string;
  signal: AbortSignal;
}

const figureTimeNs = 10e9;

/** Writes the pictures that the recording has something for. */
export async function drawDrive(options: DrivePictureOptions): Promise<DrivePictureFiles> {
  const { run, sensor, outFolder } = options;
  const reader = await createRecordings().open(run.recordingFile);
  try {
    const picture = cloudOf(options);
    const story = await readStory(reader, picture, options.signal);
    const fileOf = (name: string): string => join(outFolder, `${fileNameOf(sensor)}-${name}.png`);
    return {
      costMapPng: write(fileOf('cost-map-10s'), costMap(options, story, figureTimeNs)),
      finalCostMapPng: write(fileOf('cost-map'), costMap(options, story, Infinity)),
      cloudPng: write(fileOf('cloud'), picture?.draw(story.ticks.map(positionOf)) ?? null),
    };
  } finally {
    await reader.close();
  }
}

interface Moment {
  map: RecordedMap | null;
  path: RecordedPath | null;
}

interface Story {
  ticks: RecordedTick[];
  early: Moment;
  last: Moment;
}

/** One pass. Keeps the driven path, and of maps and planned paths only the two that are drawn. */
async function readStory(
  reader: RecordingReader,
  picture: CloudPicture | null,
  signal: AbortSignal,
): Promise<Story> {
  const ticks: RecordedTick[] = [];
  const early: Moment = { map: null, path: null };
  const last: Moment = { map: null, path: null };
  for await (const entry of reader.entries()) {
    throwIfCancelled(signal);
    switch (entry.kind) {
      case 'scan':
        picture?.add(entry.value.table, entry.value.rows);
        break;
      case 'tick':
        ticks.push(entry.value);
        break;
      case 'map':
        if (entry.value.timeNs <= figureTimeNs) early.map = entry.value;
        last.map = entry.value;
        break;
      case 'path':
        if (entry.value.timeNs <= figureTimeNs) early.path = entry.value;
        last.path = entry.value;
        break;
    }
  }
  return { ticks, early, last };
}

function costMap(
  { run, sensor }: DrivePictureOptions,
  { ticks, early, last }: Story,
  untilNs: number,
): Uint8Array | null {
  const { map, path } = untilNs === Infinity ? last : early;
  const driven = ticks.filter(({ timeNs }) => timeNs <= untilNs);
  const now = driven.at(-1);
  if (map === null || now === undefined || run.mission === null) return null;
  const { cells, cellM } = map.geometry;
  const inWorld = (placeM: readonly [number, number]): [number, number] =>
    placeToWorld(run.originM, placeM);
  const [startM, goalM] = [inWorld(run.mission.startM), inWorld(run.mission.goalM)];
  return drawCostMap({
    title: `${run.scenarioName}, ${sensor}: cost map after ${(now.timeNs / 1e9).toFixed(1)} s`,
    subtitle: `seed ${run.seed}, ${cells} × ${cells} cells of ${cellM} m, run ${run.id}`,
    map: { ...map, geometry: { ...map.geometry, originM: inWorld(map.geometry.originM) } },
    plannedM: path === null ? [] : Array.from(path.xM, (x, i) => inWorld([x, path.yM[i] ?? NaN])),
    drivenM: [startM, ...driven.map((tick) => inWorld(positionOf(tick)))],
    vehicle: {
      positionM: inWorld(positionOf(now)),
      yawRad: attitudeOf(now.truth.rotation).yawRad,
      sizeM: [run.vehicleSizeM[0], run.vehicleSizeM[1]],
    },
    startM,
    goalM,
  });
}

/** Null where no scene was built, so that its extent is not known. */
function cloudOf({ run, sensor }: DrivePictureOptions): CloudPicture | null {
  if (run.scene === null) return null;
  const { minM, maxM } = run.scene;
  const title = `${run.scenarioName}, ${sensor}: cloud from above`;
  const simSeconds = run.metrics?.simSeconds;
  const time = simSeconds === undefined ? '' : `, ${simSeconds.toFixed(1)} s`;
  const from = isZeroOrigin(run.originM) ? '' : `, metres from ${run.originM.join(', ')}`;
  return createCloudPicture({ title, subtitle: `seed ${run.seed}${time}${from}`, minM, maxM });
}

function positionOf({ truth }: RecordedTick): [number, number] {
  return [truth.positionM[0], truth.positionM[1]];
}

function write(file: string, png: Uint8Array | null): string | null {
  if (png === null) return null;
  writeWhole(file, png);
  return file;
}

/** The id of a sensor, or the name of its file without folder and ending. */
function fileNameOf(sensor: string): string {
  return documentName(sensor).replace(/[^\w.-]+/g, '-');
}
