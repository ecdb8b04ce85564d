// One job's record: how it advances, ends and fails, and how far a drive is.
import { expect, test, vi } from 'vitest';
import { UnderstoryError } from '#contract/errors.ts';
import type { RunView } from '#contract/host/run.ts';
import { driveProgress } from '#renderer/stores/host/followRun.ts';
import {
  advanceJob,
  createJob,
  endJob,
  failJob,
  isRefusal,
  logLine,
  type Job,
} from '#renderer/stores/host/jobRecord.ts';
import { sampleView } from '#test/services/scriptedRun.ts';

function startJob(cancel = (): void => undefined): Job {
  return createJob({ id: 'call-1', kind: 'call', title: 'Scan', command: null, cancel });
}

const texts = (job: Job): string[] => job.log.map(({ text }) => text);

test('a phase is logged once, and its start is where it was first heard of', () => {
  const job = startJob();
  advanceJob(job, { phase: 'build', done: 1, total: 4 });
  advanceJob(job, { phase: 'build', done: 2, total: 4 });
  expect(texts(job)).toEqual(['started', 'build']);
  expect(job.phaseStart.share).toBe(0.25);
  expect(job.progress?.done).toBe(2);
});

test('cancelling is logged before it is asked for', () => {
  const cancel = vi.fn();
  const job = startJob(cancel);
  job.cancel();
  expect(job.isCancelling).toBe(true);
  expect(texts(job)).toEqual(['started', 'stopping']);
  expect(cancel).toHaveBeenCalledOnce();
});

test('a job ends once', () => {
  const job = startJob();
  endJob(job, 'done');
  const { endedMs } = job;
  endJob(job, 'failed', 'too late');
  expect(job.state).toBe('done');
  expect(job.endedMs).toBe(endedMs);
  expect(texts(job)).toHaveLength(2);
});

test.each([
  [new UnderstoryError('cancelled', 'stopped'), true, 'cancelled'],
  [new UnderstoryError('io', 'gone'), false, 'lost'],
  [new UnderstoryError('io', 'disk full'), true, 'failed'],
  [new Error('a bug'), false, 'failed'],
] as const)('%s with a link that is open: %s ends as %s', (failure, isLinked, state) => {
  const job = startJob();
  failJob(job, failure, isLinked);
  expect(job.state).toBe(state);
  expect(job.log.at(-1)?.isError).toBe(state === 'failed' || state === 'lost');
});

test('the log keeps its first line and the newest ones', () => {
  const job = startJob();
  for (let line = 0; line < 500; line += 1) logLine(job, String(line));
  expect(job.log).toHaveLength(200);
  expect(texts(job)[0]).toBe('started');
  expect(texts(job).at(-1)).toBe('499');
});

test('a refusal is a failure that names problems', () => {
  const problems = [{ path: 'seed', code: 'too_small', message: 'expected 0 or more' }];
  expect(isRefusal(new UnderstoryError('bad-input', 'refused', { problems }))).toBe(true);
  expect(isRefusal(new UnderstoryError('io', 'gone'))).toBe(false);
});

test('a drive is as far as its path to the goal or its time, whichever is farther', () => {
  const { view } = sampleView(3, 10, 7);
  const at = (changes: Partial<RunView['tick']>, control = view.control): RunView => ({
    ...view,
    control,
    isPaused: false,
    tick: { ...view.tick, ...changes },
  });
  const halfWay = at({ distanceToGoalM: 10, timeNs: 2e9 }, 'autonomy');
  expect(driveProgress(halfWay, 20, null)).toEqual({ phase: 'driving', done: 0.5, total: 1 });
  expect(driveProgress(halfWay, 20, 2.5).done).toBeCloseTo(0.8, 9);
  // By hand there is no goal; without a limit of time there is no estimate.
  expect(driveProgress(at({ distanceToGoalM: 10 }, 'hand'), 20, null).total).toBe(0);
});
