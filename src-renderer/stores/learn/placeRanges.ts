// The ranges at a place that was clicked: of the log's beams that pass it, and of what the chosen models draw for them.
import { defineStore } from 'pinia';
import { computed, reactive, ref, shallowRef, watch } from 'vue';
import type { Replies } from '#contract/host/methods.ts';
import { useClient } from '#renderer/client/injection.ts';
import { shortNames } from '#renderer/logic/learn/fileNames.ts';
import { rangeCurves, type RangeCurve } from '#domain/shared/rangeCurves.ts';
import { commandOf } from '#renderer/logic/commandLine.ts';
import type { PointValues } from '#renderer/logic/cloud/cloudTable.ts';
import { createNewestRequest } from '#renderer/logic/newestRequest.ts';
import { sentenceOf } from '#renderer/logic/problems.ts';
import type { PickedPoint } from '#renderer/viewer/learn/learnViewer.ts';
import { useCloudFiles } from './cloudFiles.ts';
import { useLearnView } from './learnView.ts';
import { useLogFiles } from './logFiles.ts';
import { useModelFiles } from './modelFiles.ts';

type PlaceM = readonly [number, number, number];

export const usePlaceRanges = defineStore('placeRanges', () => {
  const client = useClient();
  const clouds = useCloudFiles();
  const logs = useLogFiles();
  const models = useModelFiles();
  const view = useLearnView();
  /** In the world; null: none was clicked yet. */
  const placeM = shallowRef<PlaceM | null>(null);
  /** Values of the point of the log at the place; null: it is a place of a model. */
  const values = shallowRef<PointValues | null>(null);
  const settings = reactive({ radiusM: 0.1, windowM: 1 });
  const found = shallowRef<{
    reply: Replies['learn.place'];
    curves: RangeCurve[];
    windowM: number;
  } | null>(null);
  const isReading = ref(false);
  const error = ref<string | null>(null);
  /** Relative to the origin of the view. */
  const placeInView = computed<PlaceM | null>(() => {
    const [place, origin] = [placeM.value, view.originM];
    return place === null
      ? null
      : [place[0] - origin[0], place[1] - origin[1], place[2] - origin[2]];
  });
  const asked = computed(() => {
    const [log, place] = [logs.shown, placeM.value];
    if (log === null || place === null || clouds.shown !== null) return null;
    const [x, y, z] = place;
    return { models: [...models.judged], log, placeM: [x, y, z] as [number, number, number] };
  });
  /** Null: no place was clicked yet. */
  const command = computed(() => {
    if (asked.value === null) return null;
    const [x, y, z] = asked.value.placeM.map((value) => Number(value.toFixed(3)));
    const placeM: [number, number, number] = [x ?? 0, y ?? 0, z ?? 0];
    return commandOf('learn.place', { ...asked.value, ...settings, placeM });
  });
  const reading = createNewestRequest<void>(read);
  watch(
    () => [logs.shown, clouds.shown],
    () => {
      placeM.value = null;
      found.value = null;
    },
  );
  watch([placeM, settings, () => models.judged], () => reading.make());
  return { placeM, values, placeInView, settings, found, isReading, error, command, look };

  /** `inView`: relative to the origin of the view. */
  function look({ placeM: inView, values: found }: PickedPoint): void {
    const { originM } = view;
    values.value = found;
    placeM.value = [inView[0] + originM[0], inView[1] + originM[1], inView[2] + originM[2]];
  }

  async function read(): Promise<void> {
    const [place, request] = [placeM.value, asked.value];
    if (request === null) return;
    isReading.value = true;
    try {
      const { windowM } = settings;
      const { reply, columns } = await client.query('learn.place', { ...request, ...settings });
      const { counts } = columns;
      const names = ['Log', ...shortNames(request.models)];
      const own = counts instanceof Uint32Array ? counts : new Uint32Array(0);
      if (place === placeM.value) {
        found.value = { reply, curves: rangeCurves(names, reply.outcomes, own), windowM };
      }
      error.value = null;
    } catch (failure) {
      error.value = sentenceOf(failure);
    } finally {
      isReading.value = false;
    }
  }
});
