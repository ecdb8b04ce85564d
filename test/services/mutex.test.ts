// One after another, in the order of asking; a cancelled caller delays no other.
import { describe, expect, it } from 'vitest';
import { createMutex } from '#services/mutex.ts';

describe('a mutex', () => {
  it('is held in the order of asking, each time after its release', async () => {
    const mutex = createMutex();
    const events: string[] = [];
    const names = ['first', 'second', 'third'];
    const locks = names.map((name) => mutex.lock(undefined, () => events.push(`${name} waits`)));
    for (const [index, name] of names.entries()) {
      const unlock = await locks[index]!;
      events.push(name);
      unlock();
      unlock();
    }
    expect(events).toEqual(['second waits', 'third waits', ...names]);
    const again = await mutex.lock(undefined, () => events.push('waits alone'));
    again();
    await mutex.idle();
    expect(events).not.toContain('waits alone');
  });

  it('passes over a caller that is cancelled while it waits', async () => {
    const mutex = createMutex();
    const unlock = await mutex.lock();
    const controller = new AbortController();
    const cancelled = mutex.lock(controller.signal);
    const next = mutex.lock();
    controller.abort();
    await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' });
    unlock();
    (await next)();
    await mutex.idle();
  });
});
