// Contents of the view of the Learn page: the chosen log as a cloud, the chosen model, and its returns for the
// beams of the log; in place of a log, the points of a file, by their octree alone, as a log is whose distances to another
// cloud are measured. Each is read again when the choice changes. A log with more returns than may be drawn is shown by its
// octree (logOctree.ts), and by a sample until that is there; of a model that is too large to be drawn those elements
// that look largest from where the camera is.
import { defineStore } from 'pinia';
import { computed, reactive, ref, shallowRef, watch, type Ref, type ShallowRef } from 'vue';
import type { Replies } from '#contract/host/methods.ts';
import type { Progress } from '#contract/worker/worker.ts';
import type { Columns } from '#contract/columns.ts';
import type { CloudSource } from '#contract/host/cloudMethods.ts';
import { isCancelled } from '#contract/errors.ts';
import type { ScaleName } from '#domain/shared/colours.ts';
import { useClient } from '#renderer/client/injection.ts';
import { distanceRange } from '#renderer/logic/colours/colourRanges.ts';
import {
  heightRange,
  intensityRange,
  rangedColourings,
  type ColourRanges,
  type ModelColouring,
  type RangedColouring,
  type SampleColouring,
} from '#renderer/logic/learn/modelColours.ts';
import {
  gatherModel,
  gatherSample,
  type ModelTables,
  type SampleTable,
} from '#renderer/logic/learn/modelTables.ts';
import { createClipState } from '#renderer/logic/cloud/clipBox.ts';
import {
  gatherCloud,
  tableColourings,
  type CloudTable,
  type TableColouring,
} from '#renderer/logic/cloud/cloudTable.ts';
import type { ValueRange } from '#renderer/logic/colours/valueRange.ts';
import { sentenceOf } from '#renderer/logic/problems.ts';
import { useCloudFiles } from './cloudFiles.ts';
import { useComparedCloud } from './comparedCloud.ts';
import { useLogFiles } from './logFiles.ts';
import { useConnection } from '../host/connection.ts';
import { usePointBudget } from '../preferences/pointBudget.ts';
import { useLogOctree } from './logOctree.ts';
import { useModelFiles } from './modelFiles.ts';

export type RightSide = 'model' | 'sample';
type PlaceM = readonly [number, number, number];

/** A view that was read, or is. */
export interface Loaded<R, T> {
  value: ShallowRef<{ reply: R; table: T } | null>;
  error: Ref<string | null>;
  /** Null: nothing is read at the moment. */
  progress: ShallowRef<Progress | null>;
}

/** Points of a simulation: what a page draws well; the host sends no more. */
const maxPoints = 2_000_000;

/** The shown part of a log: all returns, a sample, or the root of its octree. */
export type LogCloud = Pick<
  Replies['log.cloud'],
  'originM' | 'sent' | 'returns' | 'classes' | 'hash'
>;

export const useLearnView = defineStore('learnView', () => {
  const client = useClient();
  const connection = useConnection();
  const logs = useLogFiles();
  const clouds = useCloudFiles();
  const compared = useComparedCloud();
  const models = useModelFiles();
  const octree = useLogOctree();
  const { budget } = usePointBudget();
  /** The file of a cloud, or the hash of a log. */
  const shownSource = computed(() => clouds.shown ?? logs.shownLog?.statistics?.hash ?? null);
  const side = ref<RightSide>('model');
  /** Null: no model is chosen, and there is no right half. */
  const shownSide = computed(() => (models.shown === null ? null : side.value));
  const colours = reactive<{
    cloud: TableColouring;
    model: ModelColouring;
    sample: SampleColouring;
    scale: ScaleName;
  }>({ cloud: 'height', model: 'permeability', sample: 'height', scale: 'viridis' });
  const filter = reactive({ maxPermeability: 1, minSupport: 0, sigmas: 2 });
  const clip = reactive(createClipState());
  const cloud = loaded<LogCloud, CloudTable>();
  const model = loaded<Replies['learn.elements'], ModelTables>();
  const sample = loaded<Replies['learn.sample'], SampleTable>();
  /** World position that everything on screen is relative to. */
  const originM = computed<PlaceM>(
    () => cloud.value.value?.reply.originM ?? model.value.value?.reply.originM ?? [0, 0, 0],
  );
  const modelOffsetM = computed<PlaceM>(() => {
    const own = model.value.value?.reply.originM ?? originM.value;
    return [0, 1, 2].map((axis) => (own[axis] ?? 0) - (originM.value[axis] ?? 0)) as never;
  });
  /** The shown cloud can be coloured by these. */
  const cloudChoices = computed(() => choicesOf(cloud.value.value?.table));
  /** In place of those of the values. */
  const chosenRanges = reactive<Partial<Record<RangedColouring, ValueRange>>>({});
  const ranges = computed(() => ({
    ...rangesOf(cloud.value.value?.table, model.value.value?.table),
    ...chosenRanges,
  }));
  /** More elements than are shown. */
  const isThinned = computed(() => {
    const reply = model.value.value?.reply;
    return reply !== undefined && reply.elements > reply.sentElements;
  });
  let eyeM: PlaceM | null = null;
  let readings = 0;

  watch(
    [shownSource, () => compared.file],
    ([shown], [before]) => {
      if (shown !== before) for (const by of rangedColourings) delete chosenRanges[by];
      void readCloud(shown === before);
    },
    { immediate: true },
  );
  watch(cloud.value, (shown) => {
    if (shown !== null) colours.cloud = colouringOf(shown.table, colours.cloud);
  });
  watch(budget, () => {
    if (octree.octree === null) void readCloud();
  });
  connection.whenOpen(() => {
    if (octree.error !== null) void readCloud();
  });
  watch(
    () => [models.shownModel?.file, models.shownModel?.modifiedMs] as const,
    () => {
      eyeM = null;
      void readModel();
    },
    { immediate: true },
  );
  watch(
    () => [side.value, logs.shownLog?.statistics?.hash, models.shownModel?.file] as const,
    () => void readSample(),
    { immediate: true },
  );
  const views = { cloud: viewOf(cloud), model: viewOf(model), sample: viewOf(sample) };
  const settings = { side, shownSide, colours, cloudChoices, filter, clip, chosenRanges, ranges };
  return { ...views, ...settings, originM, modelOffsetM, isThinned, lookFrom };

  /** The camera rests here, relative to the origin. */
  function lookFrom(placeM: PlaceM): void {
    if (!isThinned.value) return;
    eyeM = placeM.map((value, axis) => value + (originM.value[axis] ?? 0)) as never;
    void readModel();
  }

  /** `isSame`: what is shown of it stays until there is more. */
  async function readCloud(isSame = false): Promise<void> {
    readings += 1;
    const mine = readings;
    const isLast = (): boolean => mine === readings;
    const log = logs.shownLog;
    const hash = shownSource.value ?? '';
    octree.close();
    if (!isSame && clouds.shown !== null) clear(cloud);
    if (clouds.shown !== null) return readPoints(cloud, { file: clouds.shown }, hash);
    if (log === null || log.statistics === null) return clear(cloud);
    if (compared.file !== null) return readPoints(cloud, { log: log.file }, hash);
    const isLarge = log.statistics.returns > budget.value;
    if (isLarge && (await octree.open({ log: log.file }, false))) return readRoot(cloud, hash);
    if (!isLast()) return;
    await read(cloud, gatherCloud(), (options) =>
      client.call(
        'log.cloud',
        { log: log.file, maxPoints: Math.min(budget.value, maxPoints) },
        options,
      ),
    );
    if (isLarge && isLast()) void octree.open({ log: log.file }, true);
  }

  async function readModel(): Promise<void> {
    const file = models.shownModel?.header == null ? null : models.shownModel.file;
    if (file === null) return clear(model);
    const from = eyeM === null ? {} : { eyeM: [...eyeM] as [number, number, number] };
    await read(model, gatherModel(), (options) =>
      client.call('learn.elements', { model: file, ...from }, options),
    );
  }

  async function readSample(): Promise<void> {
    const [log, file] = [logs.shownLog, models.shownModel?.file ?? null];
    const isKnown = log !== null && log.statistics !== null && file !== null;
    if (side.value !== 'sample' || !isKnown) return clear(sample);
    await read(sample, gatherSample(), (options) =>
      client.call('learn.sample', { model: file, log: log.file, maxPoints }, options),
    );
  }
});

/** Without a sample: they are shown once their octree is there. `hash`: of the reply. */
async function readPoints(
  cloud: Loading<LogCloud, CloudTable>,
  source: CloudSource,
  hash: string,
): Promise<void> {
  const isThere = await useLogOctree().open(source, true, useComparedCloud().source());
  if (isThere) await readRoot(cloud, hash);
}

/** The root of the octree that is open is an even sample of all of it. */
async function readRoot(cloud: Loading<LogCloud, CloudTable>, hash: string): Promise<void> {
  const { octree, readNodes } = useLogOctree();
  if (octree === null) return;
  const { originM, classes, points: returns } = octree.head;
  const sent = octree.nodes.points[octree.root] ?? 0;
  await read(cloud, gatherCloud(), async (options) => {
    await readNodes(octree, [octree.root], options);
    return { originM, sent, returns, classes, hash };
  });
}

/** Distances once they are measured; otherwise as before, where the cloud has that. */
function colouringOf(table: CloudTable, before: TableColouring): TableColouring {
  if (table.distancesM !== null) return 'distance';
  return choicesOf(table).includes(before) ? before : 'height';
}

function choicesOf(table: CloudTable | undefined): readonly TableColouring[] {
  return tableColourings.filter((by) => {
    if (by === 'rgb') return table?.colours != null;
    return by !== 'distance' || table?.distancesM != null;
  });
}

function rangesOf(table: CloudTable | undefined, models: ModelTables | undefined): ColourRanges {
  const { elements } = models ?? {};
  return {
    height: heightRange(table?.positionsM ?? elements?.meansM ?? new Float32Array(0)),
    intensity: intensityRange(table?.intensities ?? elements?.reflectance ?? new Float32Array(0)),
    distance: distanceRange(table?.distancesM ?? new Float32Array(0)),
  };
}

interface Loading<R, T> extends Loaded<R, T> {
  controller: AbortController;
}

function loaded<R, T>(): Loading<R, T> {
  return {
    value: shallowRef(null),
    error: ref(null),
    progress: shallowRef(null),
    controller: new AbortController(),
  };
}

/** For the page: what is read, as one reactive object. */
function viewOf<R, T>({ value, error, progress }: Loading<R, T>) {
  return computed(() => ({ ...value.value, error: error.value, progress: progress.value }));
}

function clear(into: Loading<unknown, unknown>): void {
  into.controller.abort();
  into.progress.value = null;
  into.error.value = null;
  into.value.value = null;
}

/** One reading at a time: another one cancels it. What was read before stays until the new one is there. */
async function read<R, T>(
  into: Loading<R, T>,
  gathering: { take: (body: unknown, columns: Columns) => void; joined: () => T },
  call: (options: {
    signal: AbortSignal;
    onProgress: (progress: Progress) => void;
    onChunk: (body: unknown, columns: Columns) => void;
  }) => Promise<R>,
): Promise<void> {
  into.controller.abort();
  const controller = new AbortController();
  into.controller = controller;
  into.error.value = null;
  into.progress.value = { phase: 'reading', done: 0, total: 0 };
  try {
    const reply = await call({
      signal: controller.signal,
      onProgress: (progress) => {
        if (into.controller === controller) into.progress.value = progress;
      },
      onChunk: gathering.take,
    });
    if (into.controller !== controller) return;
    into.value.value = { reply, table: gathering.joined() };
  } catch (failure) {
    if (into.controller !== controller || isCancelled(failure)) return;
    into.error.value = sentenceOf(failure);
    into.value.value = null;
  }
  into.progress.value = null;
}
