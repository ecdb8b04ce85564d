// The pictures of a drive, drawn from its recording: the cost map after 10 simulated seconds with path and
// vehicle (Goodin 2018, figure 10), the last cost map, and the cloud from above (figure 9b).
import { join } from 'node:path';
import type { RunDetails } from '#contract/methods.ts';
import { createRecordings } from '#recordings/recordings.ts';
import { attitudeOf } from '#domain/navigation/pose.ts';
import type { RecordedMap, RecordedPath, RecordedTick, RecordingReader } from '#services/ports.ts';
import type { DrivePictureFiles } from './driveReport.ts';
import { writeWhole } from './files.ts';
import type { Point } from './pictures/canvas.ts';
import { createCloudPicture } from './pictures/cloudPicture.ts';
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
    const story = await readStory(reader);
    const fileOf = (name: string): string => join(outFolder, `${fileNameOf(sensor)}-${name}.png`);
    return {
      costMapPng: write(fileOf('cost-map-10s'), costMap(options, story, figureTimeNs)),
      finalCostMapPng: write(fileOf('cost-map'), costMap(options, story, Infinity)),
      cloudPng: write(fileOf('cloud'), await cloud(options, reader, story)),
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

/** Keeps the way, and of maps and paths only the two that are drawn. */
async function readStory(reader: RecordingReader): Promise<Story> {
  const story: Story = {
    ticks: [],
    early: { map: null, path: null },
    last: { map: null, path: null },
  };
  for await (const tick of reader.ticks()) story.ticks.push(tick);
  for await (const map of reader.maps()) {
    if (map.timeNs <= figureTimeNs) story.early.map = map;
    story.last.map = map;
  }
  for await (const path of reader.paths()) {
    if (path.timeNs <= figureTimeNs) story.early.path = path;
    story.last.path = path;
  }
  return story;
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
  const { startM, goalM } = run.mission;
  return drawCostMap({
    title: `${run.scenarioName}, ${sensor}: cost map after ${(now.timeNs / 1e9).toFixed(1)} s`,
    subtitle: `seed ${run.seed}, ${cells} x ${cells} cells of ${cellM} m, run ${run.id}`,
    map,
    plannedM: path === null ? [] : Array.from(path.xM, (x, i): Point => [x, path.yM[i] ?? NaN]),
    drivenM: [startM, ...driven.map(positionOf)],
    vehicle: {
      positionM: positionOf(now),
      yawRad: attitudeOf(now.truth.rotation).yawRad,
      sizeM: [run.vehicleSizeM[0], run.vehicleSizeM[1]],
    },
    startM,
    goalM,
  });
}

async function cloud(
  { run, sensor, signal }: DrivePictureOptions,
  reader: RecordingReader,
  { ticks }: Story,
): Promise<Uint8Array | null> {
  const last = ticks.at(-1);
  if (run.scene === null || last === undefined) return null;
  const picture = createCloudPicture({
    title: `${run.scenarioName}, ${sensor}: cloud from above`,
    subtitle: `seed ${run.seed}, ${(last.timeNs / 1e9).toFixed(1)} s`,
    minM: run.scene.minM,
    maxM: run.scene.maxM,
  });
  for await (const { table, rows } of reader.scans()) {
    signal.throwIfAborted();
    picture.add(table, rows);
  }
  return picture.draw(ticks.map(positionOf));
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
  const name = sensor.split(/[\\/]/).at(-1) ?? sensor;
  return name.replace(/\.(ya?ml|json)$/, '').replace(/[^\w.-]+/g, '-');
}
