// Run by fullAndReadOnlyDisks.test.ts: `node exportsOnFullDisk.ts DATA RUN LOG FOLDER` writes every kind of file to FOLDER
// and prints `NAME CODE` for each.
import { join } from 'node:path';
import { toWire } from '#contract/errors.ts';
import type { Method } from '#contract/host/methods.ts';
import { exportFormats } from '#contract/host/exportFormats.ts';
import { openUnderstory } from '#hosts/compose.ts';
import { dispatch } from '#services/handlers.ts';
import { callContext } from '#test/support/context.ts';

const [dataFolder = '', runId = '', log = '', folder = ''] = process.argv.slice(2);
const scan = {
  scenario: 'clearing',
  sensor: 'vlp-16',
  pose: { positionM: [0, 0, 2], yawDeg: 0 },
  seconds: 0.02,
};

const calls: [Method, name: string, request: object][] = [
  ...exportFormats.flatMap((format): typeof calls => [
    ['runs.export', `run.${format}`, { runId, format }],
    ['log.export', `log.${format}`, { log }],
    ['scan.start', `scan.${format}`, scan],
  ]),
  ['scan.start', 'scan.mcap', scan],
  ['runs.export', 'frames', { runId, format: 'semantickitti' }],
  ['log.import', 'imported.log', { source: runId }],
  ['learn.start', 'model.ply', { logs: [log], model: 'voxel' }],
  ['runs.pack', 'run.understory', { runIds: [runId], recording: true, clouds: ['npz'] }],
];

const host = await openUnderstory({ dataFolder });
for (const [method, name, request] of calls) {
  const code = await dispatch(
    host.handlers,
    method,
    { ...request, out: join(folder, name) },
    callContext,
  ).then(
    () => 'none',
    (error: unknown) => toWire(error).code,
  );
  console.log(`${name} ${code}`);
}
await host.dispose();
