// A mesh with a material file and images that cut holes into it goes from one data folder to another with them.
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encode } from 'fast-png';
import { expect, it } from 'vitest';
import type { BundleManifest, MeshSet } from '#contract/documents/bundle.ts';
import type { Replies } from '#contract/host/methods.ts';
import { exitCodes } from '#hosts/cli/exitCodes.ts';
import { printedJson, runHere } from '#test/support/commandLine.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { verified } from '#test/services/bundles/packedRun.ts';
import { entriesOf, pack, writeZip, type ZipEntry } from './packedRun.ts';
import { flatGround, meshModel, scenario } from '#test/support/documents.ts';

const yard = scenario({
  ground: flatGround(40),
  models: { leaf: meshModel('plants/leaf.obj'), plate: meshModel('plate.ply') },
  instances: [
    { name: 'leaf', model: 'leaf', positionM: [4, 0, 0] },
    { name: 'plate', model: 'plate', positionM: [-4, 0, 0] },
  ],
  mission: { startM: [0, 0], goalM: [9, 0] },
});
const corners = 'v 0 2 0\nv 0 -2 0\nv 0 -2 4\nv 0 2 4\n';
const leaf = `mtllib ./materials/leaf one.mtl
${corners}vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1
usemtl leaf
f 1/1 2/2 3/3 4/4
`;
const plate = `ply
format ascii 1.0
comment TextureFile plate.png
element vertex 4
property float x
property float y
property float z
property float s
property float t
element face 1
property list uchar int vertex_indices
end_header
0 2 0 0 0
0 -2 0 1 0
0 -2 4 1 1
0 2 4 0 1
4 0 1 2 3
`;
const side = 16;

/** Every other square of pixels is a hole, or all are opaque. */
function mask(isWhole: boolean): Uint8Array {
  const data = Uint8Array.from({ length: side * side }, (_, at) => {
    const isOpaque = ((at % side) + Math.floor(at / side)) % 2 === 0;
    return isWhole || isOpaque ? 255 : 0;
  });
  return encode({ width: side, height: side, channels: 1, data });
}

/** The same with alpha in its fourth channel. */
function maskWithAlpha(): Uint8Array {
  const data = Uint8Array.from({ length: 4 * side * side }, (_, at) => {
    const texel = at >> 2;
    return at % 4 === 3 && ((texel % side) + Math.floor(texel / side)) % 2 === 0 ? 0 : 200;
  });
  return encode({ width: side, height: side, channels: 4, data });
}

async function texturedRun(folder: string): Promise<string> {
  mkdirSync(join(folder, 'plants/materials'), { recursive: true });
  mkdirSync(join(folder, 'plants/images'));
  const file = join(folder, 'yard.understory.yaml');
  writeFileSync(file, yard);
  writeFileSync(join(folder, 'plants/leaf.obj'), leaf);
  writeFileSync(
    join(folder, 'plants/materials/leaf one.mtl'),
    'newmtl leaf\nmap_Kd ..\\images\\unused.png\nmap_d -clamp on ../images/blatt grün.png\n',
  );
  writeFileSync(join(folder, 'plants/images/blatt grün.png'), mask(false));
  writeFileSync(join(folder, 'plants/images/unused.png'), mask(true));
  writeFileSync(join(folder, 'plate.ply'), plate);
  writeFileSync(join(folder, 'plate.png'), maskWithAlpha());
  const { stderr } = await runHere(folder, 'drive', file, '--sensor', 'vlp-16', '--seconds', '0.3');
  const [run] = await printedJson<{ id: string }[]>(folder, 'runs', 'list');
  if (run === undefined) throw new Error(stderr);
  return run.id;
}

it('packs, unpacks and verifies a scene with textured meshes', async () => {
  const [here, there] = [temporaryFolder(), temporaryFolder()];
  const runId = await texturedRun(here);
  const bundle = join(there, 'x.understory');
  expect(await pack(here, runId, bundle)).toMatchObject({ exitCode: exitCodes.ok });
  rmSync(here, { recursive: true });
  const names = (await entriesOf(bundle)).map(({ name }) => name);
  expect(names.filter((name) => name.startsWith('beside/'))).toHaveLength(4);
  expect(names.filter((name) => /^meshes\/[0-9a-f]{64}\.json$/.test(name))).toHaveLength(2);
  expect(await verified(there, bundle)).toMatchObject({ equal: true, compared: 3 });

  const { stdout } = await runHere(there, 'runs', 'unpack', bundle, '--json');
  const { runs } = JSON.parse(stdout) as Replies['runs.unpack'];
  const id = runs[0]?.runId ?? '';
  expect(await verified(there, id)).toMatchObject({ equal: true, compared: 3 });
  const again = join(there, 'again.understory');
  expect(await pack(there, id, again)).toMatchObject({ exitCode: exitCodes.ok });
  expect(readFileSync(again).equals(readFileSync(bundle))).toBe(true);

  // The images decide what is seen: without their holes the scans differ.
  const [set = ''] = /meshes\/[0-9a-f]{64}(?=\/[0-9a-f]{64}\.obj)/.exec(await scene(bundle)) ?? [];
  const image = join(there, 'data', set, 'images/blatt grün.png');
  cpSync(image, join(there, 'image.png'));
  writeFileSync(image, mask(true));
  expect(await verified(there, id)).toMatchObject({ equal: false });
  rmSync(image);
  expect(await runHere(there, 'runs', 'verify', id)).toMatchObject({
    stderr: expect.stringContaining('blatt grün.png') as string,
  });
});

it('refuses files beside a mesh that lead out, or are not in the bundle', async () => {
  const here = temporaryFolder();
  const bundle = join(here, 'x.understory');
  await pack(here, await texturedRun(here), bundle);
  const entries = await entriesOf(bundle);
  for (const name of ['../../evil', '/tmp/evil', 'a/../../evil', 'a\\evil', 'images/']) {
    const message = await refusal(withSet(entries, (set) => (beside(set).name = name)));
    expect(message).toMatch(/\.json: beside\[0\]\.name: expected a name in the folder of the mesh/);
  }
  const other = createHash('sha256').update('other').digest('hex');
  expect(await refusal(withSet(entries, (set) => (beside(set).sha256 = other)))).toMatch(
    /the file '.*' of a mesh is missing/,
  );
  const twice = withSet(entries, (set) => set.beside.push(beside(set)));
  expect(await refusal(twice)).toMatch(/\.json: beside: expected names that differ/);
});

function beside({ beside: [first] }: MeshSet): MeshSet['beside'][number] {
  if (first === undefined) throw new Error('there is no file beside the mesh');
  return first;
}

async function scene(bundle: string): Promise<string> {
  const entry = (await entriesOf(bundle)).find(({ name }) => name.endsWith('scenario.json'));
  return entry?.bytes.toString() ?? '';
}

/** The bundle with another list of files, everything else in agreement with it. */
function withSet(entries: readonly ZipEntry[], change: (set: MeshSet) => unknown): ZipEntry[] {
  const listed = entries.find(({ name }) => /^meshes\/.*\.json$/.test(name));
  if (listed === undefined) throw new Error('there is no list');
  const set = JSON.parse(listed.bytes.toString()) as MeshSet;
  change(set);
  const bytes = Buffer.from(JSON.stringify(set));
  const [before = ''] = /[0-9a-f]{64}/.exec(listed.name) ?? [];
  const after = createHash('sha256').update(bytes).digest('hex');
  const changed = entries.map((entry) => {
    if (entry === listed) return { name: `meshes/${after}.json`, bytes };
    if (!entry.name.endsWith('scenario.json')) return entry;
    return { ...entry, bytes: Buffer.from(entry.bytes.toString().replaceAll(before, after)) };
  });
  const last = changed.pop();
  const manifest = JSON.parse(last?.bytes.toString() ?? '') as BundleManifest;
  const hashed = changed.map(({ name, bytes: contents }) => {
    const sha256 = createHash('sha256').update(contents).digest('hex');
    return { name, bytes: contents.length, sha256 };
  });
  const text = JSON.stringify({ ...manifest, entries: hashed });
  return [...changed, { name: 'manifest.json', bytes: Buffer.from(text) }];
}

async function refusal(entries: readonly ZipEntry[]): Promise<string> {
  const folder = temporaryFolder();
  const file = join(folder, 'changed.understory');
  await writeZip(file, entries);
  const { exitCode, stderr } = await runHere(folder, '--quiet', 'runs', 'unpack', file);
  expect(exitCode).toBeGreaterThan(0);
  return stderr;
}
