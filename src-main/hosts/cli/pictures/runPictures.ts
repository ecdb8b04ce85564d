// The pictures of a run, drawn from its recording: the cost map after 10 simulated seconds with path and vehicle (Goodin
// 2018, figure 10), the last cost map, and the cloud from above (figure 9b).
import { throwIfCancelled } from '#contract/errors.ts';
import { isZeroOrigin, placeToWorld } from '#contract/worldOrigin.ts';
import { attitudeOf } from '#domain/shared/pose.ts';
import type {
  RecordedMap,
  RecordedPath,
  RecordedTick,
  RecordingReader,
} from '#services/ports/recordings.ts';
import { createCloudPicture, type CloudPicture } from './cloudPicture.ts';
import { drawCostMap } from './costMapPicture.ts';

type Corner = readonly [number, number, number];

/** Texts and values of a run's pictures besides its recording. Positions are relative to the scene's origin. */
export interface PicturedRun {
  scenarioName: string;
  /** As the titles call it. */
  sensor: string;
  seed: number;
  /** Its id, or another name of it. */
  name: string;
  /** World position of the scene's origin. */
  originM: Corner;
  mission: { startM: readonly [number, number]; goalM: readonly [number, number] } | null;
  /** Length, width. */
  vehicleSizeM: readonly [number, number];
  /** Extent of the scene; null: not known, as no scene was built. */
  extentM: { minM: Corner; maxM: Corner } | null;
  simSeconds: number | null;
}

/** PNG files; null where the recording has nothing to draw. */
export interface RunPictures {
  costMap10s: Uint8Array | null;
  costMap: Uint8Array | null;
  cloud: Uint8Array | null;
}

const figureTimeNs = 10e9;

/** Draws in one pass. @throws as the recording does, and 'cancelled' */
export async function drawPictures(
  recording: RecordingReader,
  run: PicturedRun,
  signal: AbortSignal,
): Promise<RunPictures> {
  const picture = cloudOf(run);
  const story = await readStory(recording, picture, signal);
  return {
    costMap10s: costMap(run, story, figureTimeNs),
    costMap: costMap(run, story, Infinity),
    cloud: picture?.draw(story.ticks.map(positionOf)) ?? null,
  };
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

/** Stores the driven path, and of maps and planned paths only the two that are drawn. */
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
  run: PicturedRun,
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
    title: `${run.scenarioName}, ${run.sensor}: cost map after ${(now.timeNs / 1e9).toFixed(1)} s`,
    subtitle: `seed ${run.seed}, ${cells} × ${cells} cells of ${cellM} m, run ${run.name}`,
    map: { ...map, geometry: { ...map.geometry, originM: inWorld(map.geometry.originM) } },
    plannedM: path === null ? [] : Array.from(path.xM, (x, i) => inWorld([x, path.yM[i] ?? NaN])),
    drivenM: [startM, ...driven.map((tick) => inWorld(positionOf(tick)))],
    vehicle: {
      positionM: inWorld(positionOf(now)),
      yawRad: attitudeOf(now.truth.rotation).yawRad,
      sizeM: run.vehicleSizeM,
    },
    startM,
    goalM,
  });
}

function cloudOf(run: PicturedRun): CloudPicture | null {
  if (run.extentM === null) return null;
  const { simSeconds } = run;
  const title = `${run.scenarioName}, ${run.sensor}: cloud from above`;
  const time = simSeconds === null ? '' : `, ${simSeconds.toFixed(1)} s`;
  const from = isZeroOrigin(run.originM) ? '' : `, metres from ${run.originM.join(', ')}`;
  const subtitle = `seed ${run.seed}${time}${from}`;
  return createCloudPicture({ title, subtitle, ...run.extentM });
}

function positionOf({ truth }: RecordedTick): [number, number] {
  return [truth.positionM[0], truth.positionM[1]];
}
