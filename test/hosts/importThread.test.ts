// Files of other programs are converted on a thread: the host that asked converts nothing itself, answers other calls
// meanwhile, and ends an import that never would. What is too large is refused before it is converted.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import type { RequestInputOf } from '#contract/host/methods.ts';
import { glbOf, treeGltf } from '#test/domain/import/glb.ts';
import { geoTiff } from '#test/domain/import/terrain/geoTiffFile.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { openHost } from '#test/support/host.ts';

// Threads load their own.
vi.mock('#services/scenarios/convertFiles.ts', async (original) => ({
  ...(await original<object>()),
  createConversion: () => {
    throw new Error("converted on the host's thread");
  },
}));

const folder = temporaryFolder();
const { ask } = await openHost(join(folder, 'data'));
write('tree.obj', 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n');

function write(name: string, content: string | Uint8Array): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

let outs = 0;
const importOf = (file: string, format: RequestInputOf<'scenario.import'>['format']) => {
  const out = join(folder, `out-${(outs += 1)}.understory.yaml`);
  return { files: [file], out, format };
};

const part = (name: string): string =>
  `<part><filter type="objloader"><param key="filepath" value="${name}"/></filter></part>`;
const heliosOf = (parts: string): string =>
  `<document><scene id="a" name="A">${parts}</scene></document>`;
const mavsOf = (instances: unknown[]): string =>
  JSON.stringify({ Objects: [{ Mesh: 'tree.obj', Instances: instances }] });

const { json, bin } = treeGltf();
const sound = [
  [
    'geotiff',
    'a.tif',
    geoTiff({ compression: 'deflate' }),
    { what: 'heights (16 × 16)', count: 256 },
  ],
  ['gltf', 'a.glb', glbOf(json, bin), { what: 'objects', count: 3 }],
  ['helios', 'a.xml', heliosOf(part('tree.obj')), { what: 'objects', count: 1 }],
  ['mavs', 'a.json', mavsOf([{}, {}]), { what: 'objects', count: 2 }],
  ['tree-list', 'a.csv', 'x,y,height\n1,2,8\n', { what: 'trees', count: 1 }],
  [
    'ascii-grid',
    'a.asc',
    'ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 10\n1 2\n3 4\n',
    { what: 'heights (2 × 2)', count: 4 },
  ],
] as const;

it.each(sound)('%s', async (format, name, content, imported) => {
  const { sources } = await ask('scenario.import', importOf(write(name, content), format));
  expect(sources[0]?.imported).toContainEqual(imported);
});

it('a host answers while an import would take hours, and ends it on cancel', async () => {
  // Each instance has its own mesh under a map, from lines that leave nothing.
  write('tree.obj', `v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n${'#\n'.repeat(1_000_000)}`);
  const instances = Array.from({ length: 50_000 }, (_, index) => ({ Scale: [1, 1, 2 + index] }));
  const given = new AbortController();
  const request = importOf(write('endless.json', mavsOf(instances)), 'mavs');
  let isOver = false;
  const endless = ask('scenario.import', request, { signal: given.signal }).finally(
    () => (isOver = true),
  );
  const ended = expect(endless).rejects.toMatchObject({ code: 'cancelled' });
  expect(await ask('scenario.check', { scenario: 'clearing' })).toMatchObject({ problems: [] });
  const again = importOf(write('b.json', mavsOf([{}])), 'mavs');
  expect((await ask('scenario.import', again)).sources).toHaveLength(1);
  expect(isOver).toBe(false);
  given.abort();
  await ended;
});

const tooLarge = [
  ['mavs', 'b.json', () => `{"Objects":[{"Instances":[{}${',{}'.repeat(300_000)}]}]}`, 'objects'],
  ['helios', 'b.xml', () => heliosOf('<part/>'.repeat(500_000)), 'elements'],
  ['tree-list', 'b.csv', () => `x\n${'1,2\n'.repeat(100_001)}`, 'trees'],
] as const;

it.each(tooLarge)(
  '%s: refuses by its count what is too large',
  async (format, name, make, what) => {
    const request = importOf(write(name, make()), format);
    await expect(ask('scenario.import', request)).rejects.toMatchObject({
      code: 'bad-input',
      details: {
        problems: [
          { message: expect.stringMatching(`^expected at most \\d+ ${what}, found `) as string },
        ],
      },
    });
  },
);
