// One after another, in the order of asking; a cancelled caller delays no other.
import { describe, expect, it } from 'vitest';
import { createTurns } from '#services/turns.ts';

describe('turns', () => {
  it('are given in the order of asking, each after the end of the one before', async () => {
    const turns = createTurns();
    const heard: string[] = [];
    const names = ['first', 'second', 'third'];
    const taken = names.map((name) => turns.take(undefined, () => heard.push(`${name} waits`)));
    for (const [index, name] of names.entries()) {
      const end = await taken[index]!;
      heard.push(name);
      end();
      end();
    }
    expect(heard).toEqual(['second waits', 'third waits', ...names]);
    const again = await turns.take(undefined, () => heard.push('first in line'));
    again();
    await turns.idle();
    expect(heard).not.toContain('first in line');
  });

  it('pass over a caller that is cancelled while it waits', async () => {
    const turns = createTurns();
    const end = await turns.take();
    const controller = new AbortController();
    const given = turns.take(controller.signal);
    const next = turns.take();
    controller.abort();
    await expect(given).rejects.toMatchObject({ code: 'cancelled' });
    end();
    (await next)();
    await turns.idle();
  });
});
