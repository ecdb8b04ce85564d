// Bundles of anybody's making: each is refused with one sentence before anything is written.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import type { BundleManifest } from '#contract/documents/bundle.ts';
import { printedJson, ran, runHere } from '#test/support/commandLine.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { forgedBundle, withHash, withManifest } from './forged.ts';
import { drivenRun, entriesOf, pack, writeZip, type ZipEntry } from './packedRun.ts';

const folder = temporaryFolder();
const whole = join(folder, 'whole.understory');
await pack(folder, await drivenRun(folder), whole, '--recording');
const entries = await entriesOf(whole);

/** Unpacks into a new data folder, and expects nothing in it afterwards. */
async function refused(file: string): Promise<string> {
  const other = temporaryFolder();
  const { exitCode, stderr } = await runHere(other, '--quiet', 'runs', 'unpack', file);
  expect(exitCode).toBeGreaterThan(0);
  const left = readdirSync(join(other, 'data')).filter((name) => !/^catalogue|^log/.test(name));
  expect(left).toEqual([]);
  expect(await printedJson(other, 'runs', 'list')).toEqual([]);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  return stderr;
}

async function refusedZip(changed: readonly ZipEntry[]): Promise<string> {
  const file = join(temporaryFolder(), 'changed.understory');
  await writeZip(file, changed);
  return refused(file);
}

const named = (ending: string): ZipEntry => {
  const entry = entries.find(({ name }) => name.endsWith(ending));
  if (entry === undefined) throw new Error(`there is no ${ending}`);
  return entry;
};

const replaced = (ending: string, bytes: Buffer): ZipEntry[] =>
  entries.map((entry) => (entry.name.endsWith(ending) ? { ...entry, bytes } : entry));

/** The entries with a manifest that agrees with them. */
function agreeing(changed: readonly ZipEntry[], change: object = {}): ZipEntry[] {
  const { runs } = JSON.parse(named('manifest.json').bytes.toString()) as BundleManifest;
  const rest = changed.filter(({ name }) => name !== 'manifest.json');
  return withManifest(rest, runs, change);
}

it('takes the same entries, written by another program', async () => {
  const file = join(temporaryFolder(), 'same.understory');
  await writeZip(file, agreeing(entries));
  await ran(temporaryFolder(), 'runs', 'unpack', file);
});

it('refuses a file that was cut off, and one with a bit changed in its recording', async () => {
  const bytes = readFileSync(whole);
  const cut = join(temporaryFolder(), 'cut.understory');
  writeFileSync(cut, bytes.subarray(0, bytes.length - 40));
  expect(await refused(cut)).toContain('is damaged: its end is missing');
  const at = bytes.indexOf(named('recording.mcap').bytes.subarray(0, 64)) + 1000;
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
  writeFileSync(cut, bytes);
  expect(await refused(cut)).toContain('is damaged');
});

it('refuses an entry that is not the one of the manifest', async () => {
  const text = named('scans.json').bytes.toString();
  const digits = text.replace(/[0-9](?=[^0-9]*$)/, (digit) => String((Number(digit) + 1) % 10));
  expect(await refusedZip(replaced('scans.json', Buffer.from(digits)))).toContain(
    'has been changed',
  );
  expect(await refusedZip(replaced('scans.json', Buffer.from(`${text} `)))).toContain('bytes');
  expect(await refusedZip(entries.filter(({ name }) => !name.endsWith('.obj')))).toContain(
    'no bytes',
  );
  const more = [{ name: 'runs/more.json', bytes: Buffer.from('{}') }, ...entries];
  expect(await refusedZip(more)).toContain('does not list runs/more.json');
});

it('refuses a run that is not what its identity says, though the manifest agrees', async () => {
  const run = named('run.json').bytes.toString().replace('"isa":"', '"isa":"avx2","x":"');
  expect(await refusedZip(agreeing(replaced('run.json', Buffer.from(run))))).toContain('run.json');
  const scans = named('scans.json').bytes.toString().replace('"pulses":[', '"pulses":[1');
  const changed = agreeing(replaced('scans.json', Buffer.from(scans)));
  expect(await refusedZip(changed)).toContain('is not what its identity says');
  const scenario = named('scenario.json').bytes.toString().replace('0.5', '0.6');
  const other = agreeing(replaced('scenario.json', Buffer.from(scenario)));
  expect(await refusedZip(other)).toContain('is not the one that was simulated');
});

it('refuses a mesh outside of the bundle', async () => {
  const text = named('scenario.json').bytes.toString();
  const changed = text.replace(/meshes\/[0-9a-f]{64}\.obj/g, '/etc/passwd');
  expect(changed).not.toBe(text);
  const message = await refusedZip(agreeing(replaced('scenario.json', Buffer.from(changed))));
  expect(message).toContain(
    "recipe.models[0].source.file: expected the name of a mesh in the bundle, found '/etc/passwd'",
  );
});

it('refuses names that lead out, links, entries twice, and what would fill the disk', async () => {
  const file = join(temporaryFolder(), 'out.understory');
  await writeZip(file, [{ name: 'xx/evil', bytes: Buffer.from('x') }, ...entries]);
  const bytes = readFileSync(file).toString('latin1').replaceAll('xx/evil', '../evil');
  writeFileSync(file, bytes, 'latin1');
  expect(await refused(file)).toContain('is damaged: invalid relative path: ../evil');
  const link = { name: 'runs/link', bytes: Buffer.from('/etc'), mode: 0o120777 };
  expect(await refusedZip([link, ...entries])).toContain('runs/link is no regular file');
  expect(await refusedZip([...entries, named('run.json')])).toContain('two entries');
  const bomb = { name: 'meshes/bomb', bytes: Buffer.alloc(2 ** 25) };
  expect(await refusedZip([bomb, ...entries])).toContain('grow more than 200 times');
});

it('refuses a later version of the format, and a file of another kind', async () => {
  const later = agreeing(entries, { understoryBundle: 2 });
  expect(await refusedZip(later)).toContain('was written by a newer Understory');
  const text = join(temporaryFolder(), 'text.understory');
  writeFileSync(text, 'no bundle');
  expect(await refused(text)).toContain('is no bundle, recording or data folder');
});

const scenarioOf = (): { scenario: { name: string; mission: object } } =>
  JSON.parse(named('scenario.json').bytes.toString()) as never;

const meshHash = (): string => /[0-9a-f]{64}/.exec(named('.obj').name)?.[0] ?? '';

it('believes a scenario of another version no more than one of this', async () => {
  const scenario = scenarioOf();
  const other = { ...scenario, scenario: { ...scenario.scenario, seed: 5 } };
  for (const version of ['0.1.0', '99.0.0']) {
    const changed = await forgedBundle(entries, { scenario: other, run: { version } });
    expect(await refusedZip(changed)).toContain("recipe.seed: expected the scenario's 5, found 1");
    const moved = { ...scenario.scenario, mission: { ...scenario.scenario.mission, timeoutS: 7 } };
    const later = { scenario: { ...scenario, scenario: moved }, run: { version } };
    expect(await refusedZip(await forgedBundle(entries, later))).toContain(
      'its scenario is not the one that was simulated',
    );
  }
});

it('refuses names of several lines or of any length', async () => {
  for (const name of ['two\nlines', 'x'.repeat(3_000_000)]) {
    expect(await refusedZip(await forgedBundle(entries, { run: { name } }))).toContain(
      'run.json: name',
    );
    const scenario = scenarioOf();
    const renamed = withHash(
      { ...scenario, scenario: { ...scenario.scenario, name } },
      { [`meshes/${meshHash()}.obj`]: meshHash() },
    );
    expect(await refusedZip(await forgedBundle(entries, { scenario: renamed }))).toContain(
      'scenario.json: scenario.name: expected',
    );
  }
});

it('refuses a scan twice, a run twice, and entries that belong to no run', async () => {
  const scans = JSON.parse(named('scans.json').bytes.toString()) as Record<string, unknown[]>;
  const twice = Object.fromEntries(
    Object.entries(scans).map(([name, values]) => [name, [...values, ...values.slice(0, 1)]]),
  );
  expect(await refusedZip(await forgedBundle(entries, { scans: twice }))).toContain(
    'expected each scan once, found tick 0, sensor 0 twice',
  );
  const foreign = { ...scans, sensor: scans['sensor']?.map(() => 9) };
  expect(await refusedZip(await forgedBundle(entries, { scans: foreign }))).toContain(
    'expected one of 1 sensors, found 9',
  );
  const { runs } = JSON.parse(named('manifest.json').bytes.toString()) as BundleManifest;
  const many = Array.from({ length: 10_000 }, () => runs[0] ?? '');
  expect(await refusedZip(agreeing(entries, { runs: many }))).toContain('expected each run once');
  const empty = Buffer.alloc(0);
  const inRun = Array.from({ length: 2000 }, (_, at) => {
    return { name: `runs/${runs[0]}/more/${at}`, bytes: empty };
  });
  expect(await refusedZip(agreeing([...entries, ...inRun]))).toContain('has too many entries');
  const shared = Array.from({ length: 2000 }, (_, at) => {
    const bytes = Buffer.from(String(at));
    return { name: `beside/${createHash('sha256').update(bytes).digest('hex')}`, bytes };
  });
  expect(await refusedZip(agreeing([...entries, ...shared]))).toContain('belongs to no run');
  const misnamed = [{ name: 'meshes/other.obj', bytes: empty }];
  expect(await refusedZip(agreeing([...entries, ...misnamed]))).toContain('belongs to no run');
});

it('refuses a file beside a mesh that has its name, or lies where another is a folder', async () => {
  const mesh = meshHash();
  const other = Buffer.from('o another\n');
  const sha256 = createHash('sha256').update(other).digest('hex');
  for (const names of [[`${mesh}.obj`], [`${mesh}.obj/x`], ['a', 'a/b'], ['a\u0301', '\u00e1']]) {
    const list = JSON.stringify({ mesh, beside: names.map((name) => ({ name, sha256 })) });
    const set = createHash('sha256').update(list).digest('hex');
    const text = named('scenario.json').bytes.toString();
    const scenario: unknown = JSON.parse(text.replace('meshes/', `meshes/${set}/`));
    const more = [
      { name: `beside/${sha256}`, bytes: other },
      { name: `meshes/${set}.json`, bytes: Buffer.from(list) },
    ];
    const changed = await forgedBundle([...entries, ...more], { scenario });
    expect(await refusedZip(changed)).toContain(`meshes/${set}.json: beside`);
  }
});

it('replaces a mesh of the data folder that is not what its name says', async () => {
  const other = temporaryFolder();
  const file = join(other, 'data', named('.obj').name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, 'v 0 0 0\n');
  await ran(other, 'runs', 'unpack', whole);
  expect(readFileSync(file).equals(named('.obj').bytes)).toBe(true);
});
