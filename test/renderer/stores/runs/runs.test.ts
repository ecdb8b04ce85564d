// The latest runs: read again when one changes, however many change at once.
import { expect, it, vi } from 'vitest';
import { useRuns } from '#renderer/stores/runs/runs.ts';
import { fakePage } from '../pageOf.ts';

it('are read once more after many changes, and the last change is seen', async () => {
  const page = fakePage();
  let total = 0;
  page.answer('runs.list', () => ({ runs: [{ id: `run-${total}` }], total }));
  const store = useRuns();
  await vi.waitFor(() => expect(store.hasLoaded).toBe(true));
  const before = page.calls.length;
  for (total = 1; total <= 1000; total++) page.emit('runs.changed', { runId: `run-${total}` });
  total = 1000;
  await vi.waitFor(() => expect(store.runs[0]?.id).toBe('run-1000'));
  expect(page.calls.length - before).toBeLessThanOrEqual(2);
});
