// Listeners that wait for the connection run whenever it opens, and no longer once they have ended.
import { expect, it, vi } from 'vitest';
import { useConnection } from '#renderer/stores/host/connection.ts';
import { fakePage } from '../pageOf.ts';

it('runs a listener at once where the connection is open, and again after each loss', () => {
  const page = fakePage();
  const connection = page.within(() => useConnection());
  const [listener, other] = [vi.fn(), vi.fn()];
  const end = connection.whenOpen(listener);
  connection.whenOpen(other);
  expect([connection.state, listener.mock.calls.length]).toEqual(['open', 1]);
  page.link('connecting');
  expect([connection.state, listener.mock.calls.length]).toEqual(['connecting', 1]);
  const late = vi.fn();
  connection.whenOpen(late);
  expect(late).not.toHaveBeenCalled();
  end();
  page.link('open');
  expect([listener, other, late].map(({ mock }) => mock.calls.length)).toEqual([1, 2, 1]);
});
