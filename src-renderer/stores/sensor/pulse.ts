// The pulse behind a point of a saved scan: its rays, what each hit, and the returns that the worker formed of them,
// explained. Asked for again in the open scene, which has to be the one that was scanned.
import { defineStore } from 'pinia';
import { computed, ref, shallowRef, watch } from 'vue';
import type { ReturnMode } from '#contract/documents/sensorReturns.ts';
import { useClient } from '#renderer/client/injection.ts';
import { sentenceOf } from '#renderer/logic/problems.ts';
import {
  formedReturns,
  pulseSignal,
  type FormedReturn,
  type PulseSignal,
  type ReceivedWaveform,
} from '#renderer/logic/pulse/pulseSignal.ts';
import {
  pulseRays,
  pulseReturns,
  type PulseRay,
  type PulseReturn,
} from '#renderer/logic/pulse/pulseTable.ts';
import type { SavedScan } from './savedScans.ts';
import { useScans } from './scans.ts';
import { useScene } from '../scene/scene.ts';

export interface ShownPulse {
  scan: SavedScan;
  pulse: bigint;
  timeNs: bigint;
  rays: PulseRay[];
  /** As the worker formed them. */
  returns: PulseReturn[];
  waveform: ReceivedWaveform | null;
  signal: PulseSignal;
  /** The returns of each mode. */
  formed: Record<ReturnMode, FormedReturn[]>;
}

export const usePulse = defineStore('pulse', () => {
  const client = useClient();
  const scans = useScans();
  const scene = useScene();
  /** The return that was clicked. */
  const chosen = shallowRef<{ scan: SavedScan; row: number } | null>(null);
  const shown = shallowRef<ShownPulse | null>(null);
  const error = ref<string | null>(null);
  const isAsking = ref(false);
  /** Ray under the pointer, in any of the plots. */
  const marked = ref<number | null>(null);
  const canStep = computed(() => chosen.value !== null);
  let generation = 0;

  watch(
    () => scans.saved.map(({ id }) => id),
    (ids) => {
      if (chosen.value !== null && !ids.includes(chosen.value.scan.id)) forget();
    },
  );
  return { chosen, shown, error, isAsking, marked, canStep, show, step, forget };

  /** Shows the pulse of a return of a saved scan. */
  async function show(scan: SavedScan, row: number): Promise<void> {
    generation += 1;
    const mine = generation;
    chosen.value = { scan, row };
    error.value = null;
    marked.value = null;
    const { contents } = scene;
    if (contents === null || scans.relationOf(scan) !== 'current') {
      shown.value = null;
      error.value = 'The scene has changed since this scan. Scan again.';
      return;
    }
    isAsking.value = true;
    const pulse = scan.table.pulse[row] ?? 0n;
    const timeNs = scan.table.timeNs[row] ?? 0n;
    try {
      const { reply, columns } = await client.query('scene.pulse', {
        scene: contents.scene,
        ...scan.settings,
        pulse: Number(pulse),
        timeNs: Number(timeNs),
      });
      if (mine !== generation) return;
      const rays = pulseRays(columns);
      const bins = columns['waveform'];
      const waveform =
        reply.waveform === null || !(bins instanceof Float32Array)
          ? null
          : { ...reply.waveform, bins };
      const hits = rays.flatMap((ray) => ray.hits);
      const signal = pulseSignal(columns, hits, reply);
      const formed = formedReturns(columns);
      const returns = pulseReturns(columns);
      shown.value = { scan, pulse, timeNs, rays, returns, waveform, signal, formed };
    } catch (failure) {
      if (mine !== generation) return;
      shown.value = null;
      error.value = sentenceOf(failure);
    } finally {
      if (mine === generation) isAsking.value = false;
    }
  }

  /** The pulse of the scan that returned something next (1), or before (−1). */
  async function step(direction: 1 | -1): Promise<void> {
    const { value } = chosen;
    if (value === null) return;
    const { scan, row } = value;
    const { pulse } = scan.table;
    let next = row + direction;
    while (pulse[next] !== undefined && pulse[next] === pulse[row]) next += direction;
    if (pulse[next] !== undefined) await show(scan, next);
  }

  function forget(): void {
    generation += 1;
    [chosen.value, shown.value, error.value, marked.value] = [null, null, null, null];
    isAsking.value = false;
  }
});
