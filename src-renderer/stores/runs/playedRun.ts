// The run that is played: its details, which follow changes on the host, its ticks and the costs of its maps.
import { computed, ref, shallowRef, type ComputedRef, type Ref, type ShallowRef } from 'vue';
import type { RunDetails } from '#contract/host/runMethods.ts';
import { useClient } from '#renderer/client/injection.ts';
import { sentenceOf } from '#renderer/logic/problems.ts';
import {
  runCosts,
  runSeries,
  type RunCosts,
  type RunSeries,
} from '#renderer/logic/runs/runSeries.ts';
import { useConnection } from '../host/connection.ts';
import { useRunRows } from './runRows.ts';

export interface PlayedRun {
  runId: Ref<string | null>;
  details: ShallowRef<RunDetails | null>;
  /** Null until its ticks have been read. */
  series: ShallowRef<RunSeries | null>;
  costs: ShallowRef<RunCosts | null>;
  error: Ref<string | null>;
  /** Simulated seconds of the first and the last tick; 0 before they are known. */
  startS: ComputedRef<number>;
  endS: ComputedRef<number>;
  /** Without a connection the run is read as soon as there is one. */
  open: (id: string) => Promise<void>;
  dispose: () => void;
}

/** `onTicks`: the ticks of a run have been read. Within a set-up. */
export function createPlayedRun(onTicks: (ticks: number) => void): PlayedRun {
  const client = useClient();
  const connection = useConnection();
  const rows = useRunRows();
  const runId = ref<string | null>(null);
  const details = shallowRef<RunDetails | null>(null);
  const series = shallowRef<RunSeries | null>(null);
  const costs = shallowRef<RunCosts | null>(null);
  const error = ref<string | null>(null);
  const ends = [
    connection.whenOpen(() => {
      if (runId.value !== null && series.value === null) void read(runId.value);
    }),
    rows.onChanged((changed) => {
      if (changed === runId.value) void readDetails(changed);
    }),
    rows.onTagged((tagged, tags) => {
      if (details.value?.id === tagged) details.value = { ...details.value, tags };
    }),
  ];
  return {
    runId,
    details,
    series,
    costs,
    error,
    startS: computed(() => series.value?.timeS[0] ?? 0),
    endS: computed(() => series.value?.timeS.at(-1) ?? 0),
    async open(id) {
      close();
      runId.value = id;
      // Why not a failure: a page that was reloaded opens a run before its connection.
      if (connection.state === 'open') await read(id);
    },
    dispose() {
      close();
      for (const end of ends) end();
    },
  };

  function close(): void {
    runId.value = null;
    details.value = null;
    series.value = null;
    costs.value = null;
    error.value = null;
  }

  async function read(id: string): Promise<void> {
    try {
      await readDetails(id);
      const { reply, columns } = await client.query('runs.ticks', { runId: id });
      if (runId.value !== id) return;
      series.value = runSeries(columns, reply.classes);
      onTicks(reply.ticks);
      const { columns: costColumns } = await client.query('runs.costs', { runId: id });
      if (runId.value === id) costs.value = runCosts(costColumns);
    } catch (failure) {
      if (runId.value === id) error.value = sentenceOf(failure);
    }
  }

  async function readDetails(id: string): Promise<void> {
    try {
      const reply = await client.call('runs.show', { runId: id });
      if (runId.value === id) details.value = reply;
    } catch (failure) {
      if (runId.value === id) error.value = sentenceOf(failure);
    }
  }
}
