// Over a channel without drain() (Electron's ports) a drive sent its first view and its last, and none between.
import { beforeAll, expect, it, vi } from 'vitest';
import { viewTakenEvent } from '#hosts/runProcess/runCalls.ts';
import type { RunChild } from '#hosts/runProcess/runProcess.ts';
import type { LoadedScenario } from '#services/documents/documents.ts';
import { forkedRunChild } from '#test/hosts/electron/forkedUtility.ts';
import { compileClearing, execute, orderFor } from '#test/hosts/runProcess/realRun.ts';
import { temporaryFolder } from '#test/support/folder.ts';

vi.setConfig({ testTimeout: 180_000 });

let clearing: LoadedScenario;
beforeAll(async () => {
  clearing = await compileClearing();
});

it('a drive in a utility process is seen while it continues', async () => {
  const order = orderFor(clearing, temporaryFolder(), { viewPoints: 1000, seconds: 5 });
  const { seen } = await execute(order, clearing.heights, { startChild: forkedRunChild });
  expect(seen.ticks).toHaveLength(50);
  expect(seen.views.length).toBeGreaterThan(5);
});

it('leaves views out until the host has taken the last one', async () => {
  const order = orderFor(clearing, temporaryFolder(), { viewPoints: 1000, seconds: 1 });
  const { seen } = await execute(order, clearing.heights, {
    startChild: (environment) => withoutAcknowledgements(forkedRunChild(environment)),
  });
  expect(seen.views.map(({ view }) => view.tick.tick)).toEqual([0, 9]);
});

function withoutAcknowledgements(child: RunChild): RunChild {
  const { channel } = child;
  return {
    ...child,
    channel: {
      ...channel,
      send: (frame) => {
        if (frame.header.method !== viewTakenEvent) channel.send(frame);
      },
    },
  };
}
