// The runs that are watched side by side, at most four, and their commands: to all running ones at once.
// A page that is loaded again finds them again.
import { defineStore } from 'pinia';
import { computed, ref, shallowReactive, shallowRef, watch } from 'vue';
import type { RequestInputOf } from '#contract/host/methods.ts';
import type { DriveCommand } from '#contract/host/run.ts';
import type { Client } from '#renderer/client/client.ts';
import { useClient } from '#renderer/client/injection.ts';
import { usePointBudget } from '../preferences/pointBudget.ts';
import { pointsPerView } from '#renderer/logic/cloud/pointShares.ts';
import { commandOf } from '#renderer/logic/commandLine.ts';
import { maxCompared } from '#renderer/logic/drive/driveForm.ts';
import { textsOf } from '#renderer/logic/storedTexts.ts';
import { sentenceOf } from '#renderer/logic/problems.ts';
import { useConnection } from '../host/connection.ts';
import { useRunRows } from '../runs/runRows.ts';
import { createDriveWatch, type DriveWatch } from './driveWatch.ts';
import { useSynchronisedDrives } from './synchronisedDrives.ts';
import { useJobs } from '../host/jobs.ts';
import { storedInTab } from '#renderer/browser/storedText.ts';

/** Simulated seconds per second; null: as fast as it can. */
export const driveSpeeds = [0.25, 0.5, 1, 2, 5, 10, null] as const;
const storedWatched = storedInTab('drive.watched');

export type StartRequest = RequestInputOf<'drive.start'>;
type DriveControl = Omit<RequestInputOf<'drive.control'>, 'runId'>;
type Say = (runId: string) => Promise<unknown>;

export const useDrive = defineStore('drive', () => {
  const client = useClient();
  const jobs = useJobs();
  const connection = useConnection();
  const watches = shallowRef<readonly DriveWatch[]>([]);
  const error = ref<string | null>(null);
  /** It is not known yet what is watched next: drives are being started, or those of before looked for. */
  const isFinding = ref(true);
  const { budget } = usePointBudget();
  /** Points of a view, of all runs together. */
  const perView = (): number => pointsPerView(budget.value);
  /** Command lines of the runs that were started here, by their ids. */
  const commandLines = shallowReactive(new Map<string, string>());
  const live = computed(() => watches.value.filter(({ run }) => isLive(run.state)));
  const isPaused = computed(
    () => live.value.length > 0 && live.value.every(({ run }) => run.view?.isPaused === true),
  );
  const speed = computed(() => live.value[0]?.run.view?.speed ?? null);
  const isStopping = computed(() => live.value.some(({ run }) => run.isStopping));
  /** Drives that are steered by keys. */
  const byHand = computed(() => live.value.filter(({ run }) => run.view?.control === 'hand'));
  const isInStep = useSynchronisedDrives(
    client,
    () => live.value.map(({ run }) => run.runId),
    (failure) => (error.value = sentenceOf(failure)),
  );
  const togglePause = (): Promise<void> => control({ isPaused: !isPaused.value });
  /** Pauses, and goes so many ticks on. */
  const step = (ticks = 1): Promise<void> =>
    control(isPaused.value ? { steps: ticks } : { isPaused: true });

  connection.whenOpen(() => {
    for (const one of watches.value) if (one.run.state === 'failed') one.follow();
    void findAgain();
  });
  useRunRows().onChanged((runId) => watchOf(runId)?.readDetails());
  // Why afterwards: views of other points have dropped those that they had.
  watch(budget, () => watches.value.forEach((one) => one.sendAgain()), { flush: 'post' });
  return {
    commands: commandLines,
    watches,
    live,
    error,
    isFinding,
    isPaused,
    isInStep,
    speed,
    isStopping,
    byHand,
    start,
    show,
    remove,
    watchOf,
    control,
    togglePause,
    step,
    command,
    stop,
  };

  /**
   * Starts drives and watches them, instead of those watched before.
   * @throws UnderstoryError where the host refuses one; those before it are applied
   */
  async function start(requests: readonly StartRequest[]): Promise<string[]> {
    const viewPoints = Math.floor(perView() / requests.length);
    const started: string[] = [];
    isFinding.value = true;
    try {
      for (const request of requests) {
        const { runId } = await client.call('drive.start', { ...request, viewPoints });
        const line = commandLineOf(request, runId);
        commandLines.set(runId, line);
        jobs.knowRun(runId, { command: line, seconds: request.seconds ?? null });
        started.push(runId);
      }
    } finally {
      if (started.length > 0) show(started);
      isFinding.value = false;
    }
    return started;
  }

  /** Watches these runs, and no others. */
  function show(runIds: readonly string[]): void {
    const wanted = runIds.slice(0, maxCompared);
    const points = Math.floor(perView() / Math.max(wanted.length, 1));
    for (const one of watches.value) {
      if (!wanted.includes(one.run.runId)) one.dispose();
    }
    watches.value = wanted.map(
      (id) =>
        watchOf(id) ?? createDriveWatch(client, id, { view: points, screen: () => budget.value }),
    );
    error.value = null;
    storedWatched.write(JSON.stringify(wanted));
  }

  function remove(runId: string): void {
    show(watches.value.map(({ run }) => run.runId).filter((id) => id !== runId));
  }

  function watchOf(runId: string): DriveWatch | null {
    return watches.value.find(({ run }) => run.runId === runId) ?? null;
  }

  /** Finds the runs that were watched before the page was loaded again, or else those that run in this host. */
  async function findAgain(): Promise<void> {
    const isEmpty = (): boolean => watches.value.length === 0;
    try {
      const ids = isEmpty() ? await runsToShow(client, textsOf(storedWatched.read())) : [];
      if (ids.length > 0 && isEmpty()) show(ids);
    } catch (failure) {
      error.value = sentenceOf(failure);
    }
    isFinding.value = false;
  }

  async function control(change: DriveControl, of = live.value): Promise<void> {
    await tell(of, (runId) => client.call('drive.control', { runId, ...change }));
  }

  function command(next: DriveCommand): void {
    void tell(byHand.value, (runId) => client.call('drive.command', { runId, ...next }));
  }

  async function stop(): Promise<void> {
    for (const { run } of live.value) run.isStopping = true;
    await tell(live.value, (runId) => client.call('drive.stop', { runId }));
  }

  async function tell(to: readonly DriveWatch[], say: Say): Promise<void> {
    try {
      await Promise.all(to.map(({ run }) => say(run.runId)));
      error.value = null;
    } catch (failure) {
      error.value = sentenceOf(failure);
      for (const { run } of to) run.isStopping = false;
    }
  }
});

function commandLineOf(request: StartRequest, runId: string): string {
  const commands = request.control === 'hand' && { commands: runId };
  return commandOf('drive.start', { ...request, ...commands });
}

/** The runs that were watched before and still exist, or else those under way. */
async function runsToShow(client: Client, before: readonly string[]): Promise<string[]> {
  const running = await client.call('runs.list', { state: 'running', limit: maxCompared });
  const known = await Promise.all(before.map((id) => isKnown(client, id)));
  const found = before.filter((_, index) => known[index]);
  return found.length > 0 ? found : running.runs.map(({ id }) => id);
}

async function isKnown(client: Client, runId: string): Promise<boolean> {
  return client.call('runs.show', { runId }).then(
    () => true,
    () => false,
  );
}

function isLive(state: string): boolean {
  return state === 'live' || state === 'opening';
}
