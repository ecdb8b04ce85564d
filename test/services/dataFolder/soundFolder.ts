// A data folder with everything that a check looks at: runs with recordings, a run from a bundle with meshes and without
// a recording, a campaign, a log, a learned model; and checks of it in this process.
import { encode } from 'fast-png';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { openCatalogue } from '#catalogue/catalogue.ts';
import { checkCatalogueFile } from '#catalogue/checkCatalogue.ts';
import type { DataReplies } from '#contract/host/dataMethods.ts';
import type { RequestInputOf } from '#contract/host/methods.ts';
import { createPeer } from '#contract/wire/rpc.ts';
import { openUnderstory } from '#hosts/compose.ts';
import { checkCatalogueMethod, recoverMethod } from '#hosts/runProcess/runCalls.ts';
import type { RunChild } from '#hosts/runProcess/runProcess.ts';
import { createRecordings } from '#recordings/recordings.ts';
import { type HandlerContext } from '#services/handlers.ts';
import { runHere } from '#test/support/commandLine.ts';
import { finishedRun } from '#test/services/finishedRun.ts';
import { projectRoot } from '#test/stages.ts';
import { memoryChannelPair } from '#test/wire/memoryChannel.ts';
import { ask } from '#test/support/context.ts';

const ticks = 4;

const scenario = `understory: 2
name: Mesh yard
scene:
  materials: { grey: { reflectance: 0.5 } }
  ground: { kind: height-field, file: ground.png, sizeM: [40, 40], zM: [0, 0.1], material: grey }
  models:
    wedge: { kind: mesh, file: wedge.obj, unit: m, upAxis: z, material: grey, solid: false }
    leaf: { kind: mesh, file: leaf.obj, unit: m, upAxis: z, material: grey, solid: false }
  instances:
    - { name: wedge, model: wedge, positionM: [4, 1, 0] }
    - { name: leaf, model: leaf, positionM: [-4, 1, 0] }
mission: { startM: [0, 0], goalM: [9, 0] }
`;
const corners = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 2\n';
const faces = 'f 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n';

/** A run that was packed elsewhere, without its recording: the file of the bundle in `folder`. */
async function bundleIn(folder: string): Promise<string> {
  const [file, bundle] = [join(folder, 'yard.understory.yaml'), join(folder, 'x.understory')];
  writeFileSync(file, scenario);
  writeFileSync(join(folder, 'wedge.obj'), corners + faces);
  writeFileSync(join(folder, 'leaf.obj'), `mtllib leaf.mtl\n${corners}usemtl leaf\n${faces}`);
  const heights = { width: 3, height: 3, channels: 1, depth: 16 } as const;
  const data = Uint16Array.of(0, 9, 8, 7, 65535, 6, 5, 4, 3);
  writeFileSync(join(folder, 'ground.png'), encode({ ...heights, data }));
  writeFileSync(join(folder, 'leaf.mtl'), 'newmtl leaf\nKd 0.1 0.5 0.1\n');
  await runHere(folder, 'drive', file, '--sensor', 'vlp-16', '--seconds', '0.2');
  const { stdout } = await runHere(folder, 'runs', 'list', '--json');
  const [run] = JSON.parse(stdout) as { id: string }[];
  const { stderr, exitCode } = await runHere(
    folder,
    'runs',
    'pack',
    run?.id ?? '',
    '--out',
    bundle,
  );
  if (exitCode !== 0) throw new Error(stderr);
  return bundle;
}

/** Makes the data folder; `runIds`: of the runs with recordings. The caller removes `folder`. */
export async function makeSoundFolder(): Promise<{ folder: string; runIds: string[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'understory-check-'));
  const elsewhere = mkdtempSync(join(tmpdir(), 'understory-check-'));
  const dataFolder = join(folder, 'data');
  const runIds: string[] = [];
  for (const number of [1, 2]) {
    runIds.push((await finishedRun(dataFolder, { ticks, number })).runId);
  }
  const unpacked = await runHere(folder, 'runs', 'unpack', await bundleIn(elsewhere));
  if (unpacked.exitCode !== 0) throw new Error(unpacked.stderr);
  rmSync(elsewhere, { recursive: true });
  const catalogue = openCatalogue(join(dataFolder, 'catalogue.sqlite'));
  const key = catalogue.saveCampaign(
    {
      name: 'density',
      file: '/density.campaign.yaml',
      fileHash: 'f',
      document: '{}',
      isa: 'avx2',
      createdMs: 1,
      axes: [{ name: 'density', kind: 'number' }],
    },
    [{ planned: '{}', values: [100] }],
  );
  const done = { state: 'done', error: null, wallS: 1, hostName: 'h', measures: {} } as const;
  catalogue.endCampaignRun(key, 0, { ...done, runId: runIds[0] ?? '' });
  catalogue.dispose();
  const fixtures = join(projectRoot, 'test');
  for (const [from, to] of [
    ['recordings/log/golden.log', 'logs/golden.log'],
    ['fuzz/corpus/learned/hybrid.ply', 'models/hybrid.ply'],
  ] as const) {
    mkdirSync(join(dataFolder, to, '..'), { recursive: true });
    copyFileSync(join(fixtures, from), join(dataFolder, to));
  }
  return { folder, runIds };
}

/** A child that checks catalogues and closes recordings in this process. */
function childHere(): RunChild {
  const [here, there] = memoryChannelPair();
  createPeer(there, {
    serve: {
      [checkCatalogueMethod]: ({ body }) => {
        const { file, isQuick } = body as { file: string; isQuick: boolean };
        return { body: checkCatalogueFile(file, isQuick), columns: {} };
      },
      [recoverMethod]: async ({ body }) => ({
        body: await createRecordings().recover((body as { file: string }).file),
        columns: {},
      }),
    },
  });
  const ended = new Promise<string>((resolve) => there.onClose(resolve));
  return { pid: 0, channel: here, stderr: new PassThrough(), ended, kill: () => here.close() };
}

/** data.check of the data folder of `folder`. */
export async function checkFolder(
  folder: string,
  request: RequestInputOf<'data.check'> = {},
  context: Partial<HandlerContext> = {},
): Promise<DataReplies['data.check']> {
  const understory = await openUnderstory({
    dataFolder: join(folder, 'data'),
    startRunChild: childHere,
    isCatalogueNeeded: false,
  });
  try {
    return await ask(understory.handlers, 'data.check', request, context);
  } finally {
    await understory.dispose();
  }
}
