// Documents that are not saved yet: the same answers for a text as for a file with that text.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { RequestInputOf } from '#contract/host/methods.ts';
import { createThreadedImports } from '#hosts/node/importThread.ts';
import { createNodeClock } from '#hosts/node/nodeClock.ts';
import { createNodeFiles } from '#hosts/node/nodeFiles.ts';
import { createNodeMachine } from '#hosts/node/nodeMachine.ts';
import { createNodeTimer } from '#hosts/node/nodeTimer.ts';
import { assetsFolder } from '#hosts/packageFolders.ts';
import { createExporters } from '#recordings/export/exporters.ts';
import { createDocuments } from '#services/documents/documents.ts';
import { createWarmWorker } from '#services/documents/warmWorker.ts';
import { scenarioHandlers } from '#services/scenarios/scenarioHandlers.ts';
import { sensorHandlers } from '#services/documents/sensorHandlers.ts';
import { type Handlers } from '#services/handlers.ts';
import { minimalScenario, minimalSensor } from '#test/support/documents.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { createMutex } from '#services/mutex.ts';
import { ask } from '#test/support/context.ts';
import { realLauncher } from '#test/support/worker.ts';

const files = createNodeFiles({ assetsFolder });
const documents = createDocuments({ files });
const launcher = realLauncher();
const describing = createWarmWorker({ launcher, timer: createNodeTimer() });
afterAll(() => describing.dispose());
const handlers = {
  ...sensorHandlers({ documents, worker: describing }),
  ...scenarioHandlers({
    documents,
    files,
    launcher,
    machine: createNodeMachine(),
    builds: createMutex(),
    imports: createThreadedImports(),
    clock: createNodeClock(),
    exporters: createExporters({ dataFolder: null }),
    timer: createNodeTimer(),
  }),
} as Handlers;
const show = async (request: RequestInputOf<'sensor.show'>) =>
  ask(handlers, 'sensor.show', request);
const plan = async (request: RequestInputOf<'scenario.plan'>) =>
  ask(handlers, 'scenario.plan', request);

describe('a sensor that is not saved yet', () => {
  it('is shown as its file would be', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'mine.yaml');
    const text = minimalSensor.replace('rateHz: 10', 'rateHz: 20');
    writeFileSync(file, minimalSensor);
    const shown = await show({ sensor: file, text });
    expect(shown.recipe.scan.rateHz).toBe(20);
    const before = await show({ sensor: file });
    expect(before.recipe.scan.rateHz).toBe(10);
    writeFileSync(file, text);
    expect(await show({ sensor: file })).toEqual(shown);
    expect(await show({ sensor: 'nowhere.yaml', text })).toEqual(shown);
  });

  it('has its problems at their paths', async () => {
    const text = minimalSensor.replace('rateHz: 10', 'rateHz: -10');
    await expect(show({ sensor: 'vlp-16', text })).rejects.toMatchObject({
      code: 'bad-input',
      details: { problems: [{ path: 'scan.rateHz' }] },
    });
  });
});

describe('a scenario that is not saved yet', () => {
  it('is planned as its file would be, with what lies beside the file', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'meshes'));
    writeFileSync(
      join(folder, 'meshes/one.stl'),
      'solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid a\n',
    );
    const file = join(folder, 'mine.understory.yaml');
    writeFileSync(file, minimalScenario);
    const text = minimalScenario.replace(
      '{ kind: box, sizeM: [1, 1, 1], material: soil }',
      '{ kind: mesh, file: meshes/one.stl, unit: m, upAxis: z, material: soil }',
    );
    expect(text).not.toBe(minimalScenario);
    const planned = await plan({ scenario: file, text });
    expect(planned.models.find(({ name }) => name === 'cube')?.triangles).toBe(1);
    expect((await plan({ scenario: file })).models[0]?.triangles).toBe(12);
    writeFileSync(file, text);
    expect(await plan({ scenario: file })).toEqual(planned);
    // The file need not exist; its folder says where others are looked for.
    expect(await plan({ scenario: join(folder, 'new.yaml'), text })).toEqual(planned);
    await expect(plan({ scenario: '/nowhere/new.yaml', text })).rejects.toMatchObject({
      details: { problems: [{ path: 'scene.models.cube.file' }] },
    });
  });
});
