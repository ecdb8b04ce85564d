// How many scenes may be open at a time: of a connection, and of the host.
import { expect, it } from 'vitest';
import type { RequestOf } from '#contract/host/methods.ts';
import { sceneHandlers, type SceneHandlerPorts } from '#services/scenes/sceneHandlers.ts';

/** Scenes whose documents are never read to the end: they count from their call on. */
function handlers() {
  const documents = {
    compile: (_: string, { signal }: { signal: AbortSignal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('cancelled')));
      }),
  };
  const { handlers: scenes } = sceneHandlers({ documents } as unknown as SceneHandlerPorts);
  return (connection: AbortSignal, signal: AbortSignal = connection): Promise<unknown> =>
    Promise.resolve(
      scenes['scene.open']({ scenario: 'box' } as RequestOf<'scene.open'>, {
        signal,
        connection,
        progress: () => undefined,
        chunk: () => Promise.resolve(),
      }),
    );
}

it('refuses the 17th of a connection and the 33rd of the host, until one is closed', async () => {
  const open = handlers();
  const connections = [1, 2, 3].map(() => new AbortController());
  const [one, two, three] = connections.map(({ signal }) => signal) as [
    AbortSignal,
    AbortSignal,
    AbortSignal,
  ];
  const closing = new AbortController();
  const first = open(one, closing.signal);
  first.catch(() => undefined);
  for (let n = 1; n < 16; n += 1) open(one).catch(() => undefined);
  await expect(open(one)).rejects.toMatchObject({
    code: 'locked',
    message:
      '16 scenes are open on this connection, the limit: close one first (cancel its scene.open)',
  });
  for (let n = 0; n < 16; n += 1) open(two).catch(() => undefined);
  await expect(open(three)).rejects.toMatchObject({
    code: 'locked',
    message: '32 scenes are open, the limit: close one first (cancel its scene.open)',
  });
  closing.abort();
  await expect(first).rejects.toThrow('cancelled');
  const another = open(three);
  another.catch(() => undefined);
  await expect(open(three)).rejects.toMatchObject({ code: 'locked' });
  for (const connection of connections) connection.abort();
  await expect(another).rejects.toThrow('cancelled');
});
