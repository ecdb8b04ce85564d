// The image of a camera on board of a run's vehicle, at the time that is shown: rendered by the host once that time rests.
import { onScopeDispose, ref, shallowRef, watch } from 'vue';
import { isCancelled } from '#contract/errors.ts';
import type { TickRecord } from '#contract/host/run.ts';
import type { Progress } from '#contract/worker/worker.ts';
import { degrees } from '#domain/shared/numbers.ts';
import { attitudeOf } from '#domain/shared/pose.ts';
import { useClient } from '#renderer/client/injection.ts';
import { sentenceOf } from '#renderer/logic/problems.ts';
import { eyesAboveVehicleM } from '#renderer/logic/viewer/viewSettings.ts';

/** A time of a run. */
export interface CameraMoment {
  runId: string;
  /** Origin of the scene, in the world. */
  originM: readonly number[];
  tick: Pick<TickRecord, 'truth' | 'timeNs'>;
}

export interface CameraImage {
  widthPx: number;
  heightPx: number;
  /** Red, green and blue of each pixel, row by row from the top. */
  rgb: Uint8Array;
  /** Simulated time that it shows. */
  timeS: number;
}

const [widthPx, heightPx, verticalFovDeg] = [640, 480, 60];
/** The time rests for so long before its image is asked for. */
const restMs = 300;

/** Within a set-up. @param shown null: nothing is shown yet @param isStill the time rests */
export function useCameraImage(shown: () => CameraMoment | null, isStill: () => boolean) {
  const client = useClient();
  const image = shallowRef<CameraImage | null>(null);
  const progress = shallowRef<Progress | null>(null);
  const error = ref<string | null>(null);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let rendering = new AbortController();

  watch(
    () => shown()?.runId,
    () => (image.value = null),
  );
  watch(
    // Why the time: a run that is paused may be shown again as it was.
    () => [isStill(), shown()?.runId, shown()?.tick.timeNs],
    ([is]) => {
      stop();
      const moment = shown();
      if (is === true && moment !== null) timer = setTimeout(() => void render(moment), restMs);
    },
    { immediate: true },
  );
  onScopeDispose(stop);
  return { image, progress, error };

  function stop(): void {
    clearTimeout(timer);
    rendering.abort();
    [progress.value, error.value] = [null, null];
  }

  async function render({ runId, originM, tick }: CameraMoment): Promise<void> {
    const { truth, timeNs } = tick;
    const mine = (rendering = new AbortController());
    const { signal } = mine;
    const { yawRad, pitchRad } = attitudeOf(truth.rotation);
    const [x, y, z] = [0, 1, 2].map((axis) => (originM[axis] ?? 0) + (truth.positionM[axis] ?? 0));
    const camera = {
      positionM: [x ?? 0, y ?? 0, (z ?? 0) + eyesAboveVehicleM] as [number, number, number],
      yawDeg: degrees(yawRad),
      pitchDeg: degrees(pitchRad),
    };
    const atS = timeNs / 1e9;
    progress.value = { phase: 'rendering', done: 0, total: 0 };
    try {
      const { columns } = await client.query(
        'runs.image',
        { runId, atS, camera, widthPx, heightPx, verticalFovDeg },
        { signal, onProgress: (next) => !signal.aborted && (progress.value = next) },
      );
      const { rgb } = columns;
      if (!signal.aborted && rgb instanceof Uint8Array) {
        image.value = { widthPx, heightPx, rgb, timeS: atS };
      }
    } catch (failure) {
      if (!signal.aborted && !isCancelled(failure)) error.value = sentenceOf(failure);
    }
    if (rendering === mine) progress.value = null;
  }
}
