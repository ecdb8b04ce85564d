// The adapter for the port RunDrawings: pictures as `drive` draws them, and pages that open from disk.
import { throwIfCancelled } from '#contract/errors.ts';
import { originOf } from '#contract/worldOrigin.ts';
import { driveFromWorld } from '#domain/scene/georeference.ts';
import { drawPictures } from '#hosts/cli/pictures/runPictures.ts';
import type {
  RecordedMap,
  RecordedPath,
  RecordedTick,
  RecordingReader,
} from '#services/ports/recordings.ts';
import type { DrawnRun, RunDrawings } from '#services/ports/runDrawings.ts';
import { cloudData } from './cloudData.ts';
import { createCloudSampler, type CloudSampler } from './cloudSample.ts';
import { runMap } from './runMap.ts';
import { runList, runPage, type PageDrawings } from './runPage.ts';

/** Points of a page: eight bytes each, a third more in base64. */
const maxPoints = 250_000;
/** Places of the vehicle in the view of the cloud. */
const maxPlaces = 2000;

export const runDrawings: RunDrawings = {
  async pictures(drawn, recording, signal) {
    const { compiled, identity, run, extentM } = drawn;
    const { scenario, sensors } = compiled;
    const { mission } = driveFromWorld(scenario);
    const { lengthM, widthM } = scenario.vehicle;
    const pictured = {
      scenarioName: scenario.name,
      seed: scenario.seed,
      sensor: sensors.map(({ name }) => name).join('+'),
      name: identity.slice(0, 12),
      originM: originOf(scenario.scene),
      mission: mission ?? null,
      vehicleSizeM: [lengthM, widthM] as const,
      extentM,
      simSeconds: run.simSeconds,
    };
    const { costMap10s, costMap, cloud } = await drawPictures(recording, pictured, signal);
    return { 'cloud.png': cloud, 'cost-map-10s.png': costMap10s, 'cost-map.png': costMap };
  },

  async page(drawn, recording, signal) {
    const drawings =
      recording === null
        ? { map: null, cloud: null }
        : drawingsOf(drawn, await readStory(recording, signal));
    return runPage(drawn, drawings);
  },

  list: runList,
};

interface Story {
  ticks: RecordedTick[];
  map: RecordedMap | null;
  path: RecordedPath | null;
  cloud: CloudSampler;
}

/** One pass, in which memory grows with the ticks alone. */
async function readStory(recording: RecordingReader, signal: AbortSignal): Promise<Story> {
  const story: Story = { ticks: [], map: null, path: null, cloud: createCloudSampler(maxPoints) };
  for await (const entry of recording.entries()) {
    throwIfCancelled(signal);
    if (entry.kind === 'scan') story.cloud.add(entry.value.table, entry.value.rows);
    if (entry.kind === 'tick') story.ticks.push(entry.value);
    if (entry.kind === 'map') story.map = entry.value;
    if (entry.kind === 'path') story.path = entry.value;
  }
  return story;
}

function drawingsOf({ compiled }: DrawnRun, { ticks, map, path, cloud }: Story): PageDrawings {
  const { scenario, recipe } = compiled;
  const { mission } = driveFromWorld(scenario);
  const places = ticks.map(({ truth }) => truth.positionM);
  const startM = mission?.startM ?? null;
  const drivenM = places.map(([xM, yM]) => [xM, yM] as const);
  const every = Math.ceil(places.length / maxPlaces);
  const sample = cloud.sample();
  return {
    map: runMap({
      map,
      plannedM: path === null ? [] : Array.from(path.xM, (xM, at) => [xM, path.yM[at] ?? NaN]),
      drivenM: startM === null ? drivenM : [startM, ...drivenM],
      startM,
      goalM: mission?.goalM ?? null,
      originM: originOf(scenario.scene),
    }),
    cloud: {
      data: cloudData(
        sample,
        recipe.classes,
        places.filter((_, index) => index % every === 0),
      ),
      sample,
    },
  };
}
