// Documents read, edited and saved on real files: what is refused, and that nothing is ever lost by it.
import { execFileSync } from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { UnderstoryError } from '#contract/errors.ts';
import type { Method, Replies, RequestInputOf } from '#contract/host/methods.ts';
import { createNodeFiles } from '#hosts/node/nodeFiles.ts';
import { documentHandlers } from '#services/documents/documentHandlers.ts';
import { type Handlers } from '#services/handlers.ts';
import { minimalScenario, minimalSensor } from '#test/support/documents.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { ask } from '#test/support/context.ts';

type Call = <M extends Extract<Method, `document.${string}`>>(
  method: M,
  request: RequestInputOf<M>,
) => Promise<Replies[M]>;

/** Handlers over a folder with assets of its own. */
function open(): { call: Call; folder: string; sample: string } {
  const folder = temporaryFolder();
  for (const name of ['sensors', 'scenarios', 'plants', 'species', 'campaigns']) {
    mkdirSync(join(folder, 'assets', name), { recursive: true });
  }
  const sample = join(folder, 'assets/scenarios/sample.understory.yaml');
  writeFileSync(sample, minimalScenario);
  writeFileSync(join(folder, 'assets/sensors/test.yaml'), minimalSensor);
  const files = createNodeFiles({ assetsFolder: join(folder, 'assets') });
  const handlers = documentHandlers({ files }) as Handlers;
  const call: Call = async (method, request) => ask(handlers, method, request);
  return { call, folder, sample };
}

async function failureOf(work: Promise<unknown>): Promise<UnderstoryError> {
  const failure: unknown = await work.then(
    () => null,
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(UnderstoryError);
  return failure as UnderstoryError;
}

describe('document.mesh', () => {
  it('names the materials of an OBJ beside the scenario, as the reader of meshes takes them', async () => {
    const { call, folder } = open();
    const from = join(folder, 'yard.understory.yaml');
    const lines = ['mtllib a.mtl', 'v 0 0 0', ' usemtl  Old bark.001 ', 'f 1 1 1', '# usemtl no'];
    writeFileSync(
      join(folder, 'a.OBJ'),
      [...lines, 'usemtl Leaf\r', 'usemtl Leaf', 'usemtl'].join('\n'),
    );
    writeFileSync(join(folder, 'a.mtl'), 'newmtl Leaf\nKd 0 0.5 1\n');
    expect(await call('document.mesh', { file: 'a.OBJ', from })).toEqual({
      materials: ['Old bark.001', 'Leaf'],
      colours: { Leaf: '#0080ff' },
      bounds: { min: [0, 0, 0], max: [0, 0, 0] },
    });
    writeFileSync(join(folder, 'a.stl'), 'solid usemtl\nusemtl x\n');
    expect(await call('document.mesh', { file: 'a.stl', from })).toEqual({
      materials: [],
      colours: {},
      bounds: null,
    });
    const failure = await failureOf(call('document.mesh', { file: 'b.obj', from }));
    expect(failure.code).toBe('not-found');
  });
});

describe('document.read', () => {
  it('gives a sample by its id and a file by its name, as they are', async () => {
    const { call, folder, sample } = open();
    const read = await call('document.read', { kind: 'scenario', document: 'sample' });
    expect(read).toMatchObject({ file: sample, text: minimalScenario, isSample: true });
    const mine = join(folder, 'mine.yaml');
    writeFileSync(mine, 'not: [a scenario');
    expect(await call('document.read', { kind: 'scenario', document: mine })).toMatchObject({
      text: 'not: [a scenario',
      isSample: false,
    });
    const missing = await failureOf(call('document.read', { kind: 'sensor', document: 'nope' }));
    expect(missing.code).toBe('not-found');
    expect(missing.message).toContain('test');
  });
});

describe('document.edit', () => {
  it('gives text, checked value and plain data', async () => {
    const { call } = open();
    const edits = [
      { path: ['scene', 'instances', 0, 'positionM', 2], op: 'set' as const, value: 3 },
    ];
    const reply = await call('document.edit', { kind: 'scenario', text: minimalScenario, edits });
    expect(reply.text).toBe(minimalScenario.replace('[0, 0, 0]', '[0, 0, 3]'));
    expect(reply.problems).toEqual([]);
    expect(reply.value).toMatchObject({
      seed: 1,
      scene: { instances: [{ positionM: [0, 0, 3] }] },
    });
    expect(reply.data).not.toHaveProperty('seed');
  });

  it('keeps an edit that makes a problem, and names its field', async () => {
    const { call } = open();
    const edits = [{ path: ['scene', 'instances', 0, 'scale'], op: 'set' as const, value: -1 }];
    const reply = await call('document.edit', { kind: 'scenario', text: minimalScenario, edits });
    expect(reply.text).toContain('scale: -1');
    expect(reply.value).toBeNull();
    expect(reply.data).toMatchObject({ name: 'test' });
    expect(reply.problems.map(({ path }) => path)).toEqual(['scene.instances[0].scale']);
  });

  it('checks the files that a scenario names, beside its own', async () => {
    const { call, folder } = open();
    const text = `${minimalScenario}sensors:\n  - { name: a, sensor: mine.yaml }\n`;
    const file = join(folder, 'a.understory.yaml');
    const check = { kind: 'scenario' as const, text, file };
    const missing = await call('document.edit', check);
    expect(missing.value).toMatchObject({ sensors: [{ sensor: 'mine.yaml' }] });
    expect(missing.problems.map(({ path }) => path)).toEqual(['sensors[0].sensor']);
    writeFileSync(join(folder, 'mine.yaml'), minimalSensor);
    expect((await call('document.edit', check)).problems).toEqual([]);
  });

  it('without edits checks; a text that is not YAML comes back with its line', async () => {
    const { call } = open();
    const sensor = await call('document.edit', { kind: 'sensor', text: minimalSensor });
    expect(sensor).toMatchObject({ text: minimalSensor, problems: [] });
    const text = 'name: a\nname: b\n';
    for (const edits of [[], [{ path: ['seed'], op: 'set' as const, value: 1 }]]) {
      const reply = await call('document.edit', { kind: 'scenario', text, edits });
      expect(reply).toMatchObject({ text, value: null, data: null });
      expect(reply.problems).toHaveLength(1);
      expect(reply.problems[0]?.message).toContain('line 2');
    }
  });
});

describe('document.save', () => {
  const request = { kind: 'scenario' as const, text: minimalScenario, isReplacing: false };

  it('writes a new file, its folder too, and nothing beside it', async () => {
    const { call, folder } = open();
    const file = join(folder, 'mine/a.understory.yaml');
    const saved = await call('document.save', { ...request, file });
    expect(saved.text).toBe(minimalScenario);
    expect(readFileSync(file, 'utf8')).toBe(minimalScenario);
    expect(readdirSync(join(folder, 'mine'))).toEqual(['a.understory.yaml']);
    const read = await call('document.read', { kind: 'scenario', document: file });
    expect(read.hash).toBe(saved.hash);
  });

  it('refuses samples, existing files, texts that are no YAML, relative names; all stay', async () => {
    const { call, folder, sample } = open();
    const file = join(folder, 'a.yaml');
    writeFileSync(file, 'mine: 1\n');
    const refusals: [Partial<RequestInputOf<'document.save'>> & { file: string }, string][] = [
      [{ file: sample, isReplacing: true }, 'sample'],
      [{ file: join(folder, 'mine/../assets/scenarios/sample.understory.yaml') }, 'sample'],
      [{ file }, 'exists'],
      [{ file, text: 'a: 1\na: 2\n', isReplacing: true }, 'not-yaml'],
      [{ file, isReplacing: true, knownHash: '0' }, 'changed-on-disk'],
      [{ file: 'a.yaml', isReplacing: true }, 'relative'],
    ];
    for (const [changes, reason] of refusals) {
      const failure = await failureOf(call('document.save', { ...request, ...changes }));
      expect(failure).toMatchObject({ code: 'bad-input', details: { reason } });
    }
    expect(readFileSync(file, 'utf8')).toBe('mine: 1\n');
    expect(readFileSync(sample, 'utf8')).toBe(minimalScenario);
    const withProblems = { ...request, file, text: 'name: 3 # kept\n', isReplacing: true };
    await call('document.save', withProblems);
    expect(readFileSync(file, 'utf8')).toBe('name: 3 # kept\n');
  });

  it('notices that another program changed the file since', async () => {
    const { call, folder } = open();
    const file = join(folder, 'a.yaml');
    const first = await call('document.save', { ...request, file });
    const mine = { ...request, file, isReplacing: true, knownHash: first.hash };
    const second = await call('document.save', { ...mine, text: `${minimalScenario}seed: 2\n` });
    writeFileSync(file, 'theirs: 1\n');
    const failure = await failureOf(call('document.save', { ...mine, knownHash: second.hash }));
    expect(failure.details).toMatchObject({ reason: 'changed-on-disk' });
    expect(readFileSync(file, 'utf8')).toBe('theirs: 1\n');
  });

  it('writes through a link and keeps who may read the file', async () => {
    const { call, folder } = open();
    const file = join(folder, 'a.yaml');
    const link = join(folder, 'link.yaml');
    writeFileSync(file, 'a: 1\n', { mode: 0o640 });
    symlinkSync(file, link);
    await call('document.save', { ...request, file: link, isReplacing: true });
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(file, 'utf8')).toBe(minimalScenario);
    expect(lstatSync(file).mode & 0o777).toBe(0o640);
  });

  it('names what lies beside the old file as seen from the new one', async () => {
    const { call, folder } = open();
    const cube = '{ kind: box, sizeM: [1, 1, 1], material: soil }';
    const mesh = '{ kind: mesh, file: rock.stl, unit: m, upAxis: z, material: soil } # a rock';
    const text = `${minimalScenario.replace(cube, mesh)}sensors:\n  - { name: a, sensor: test }\n`;
    mkdirSync(join(folder, 'old'));
    writeFileSync(join(folder, 'old/rock.stl'), 'solid\n');
    const from = join(folder, 'old/a.yaml');
    const file = join(folder, 'new/a.yaml');
    const saved = await call('document.save', { ...request, text, file, from });
    expect(saved.text).toBe(text.replace('rock.stl', '../old/rock.stl'));
    expect(readFileSync(file, 'utf8')).toBe(saved.text);
    const beside = await call('document.save', { ...request, text, file: `${from}2`, from });
    expect(beside.text).toBe(text);
  });

  it('says which folder is missing, or cannot be written', async () => {
    const { call, folder } = open();
    const missing = join(folder, 'no/such/folder/a.yaml');
    const failure = await failureOf(call('document.save', { ...request, file: missing }));
    expect(failure.code).toBe('not-found');
    expect(failure.message).toContain(`there is no folder '${join(folder, 'no/such')}'`);
    // Why there: not even root can make files in it.
    const readOnly = '/sys/understory.yaml';
    const refused = await failureOf(call('document.save', { ...request, file: readOnly }));
    expect(refused.code).toBe('io');
    expect(refused.message).toContain(readOnly);
  });

  it('leaves the old file whole where the disk is full, and nothing beside it', () => {
    const folder = temporaryFolder();
    const file = join(folder, 'a.yaml');
    writeFileSync(file, 'old: 1\n');
    const child = fileURLToPath(new URL('./saveDocument.ts', import.meta.url));
    const script = 'ulimit -f 100 && exec "$0" "$@"';
    const args = ['-c', script, process.execPath, child, file];
    const failure: unknown = JSON.parse(execFileSync('bash', args, { encoding: 'utf8' }));
    expect(failure).toMatchObject({ code: 'disk-full' });
    expect(JSON.stringify(failure)).toContain(file);
    expect(readFileSync(file, 'utf8')).toBe('old: 1\n');
    expect(readdirSync(folder)).toEqual(['a.yaml']);
  });
});

describe('document.folder', () => {
  it('lists folders of documents that were opened or saved, and what lies below them', async () => {
    const { call, folder } = open();
    expect(await call('document.folder', {})).toEqual({
      folder: null,
      parent: null,
      folders: [],
      files: [],
      known: [],
    });
    const mine = join(folder, 'mine');
    mkdirSync(join(mine, 'trees'), { recursive: true });
    writeFileSync(join(mine, 'trees/plot.csv'), 'x,y\n');
    writeFileSync(join(mine, '.hidden'), '');
    const file = join(mine, 'a.understory.yaml');
    writeFileSync(file, minimalScenario);
    await call('document.read', { kind: 'scenario', document: file });
    expect(await call('document.folder', {})).toEqual({
      folder: mine,
      parent: null,
      folders: ['trees'],
      files: ['a.understory.yaml'],
      known: [mine],
    });
    const below = await call('document.folder', { folder: join(mine, 'trees') });
    expect(below).toMatchObject({ parent: mine, files: ['plot.csv'] });
  });

  it('lists no others, however they are written', async () => {
    const { call, folder, sample } = open();
    await call('document.read', { kind: 'scenario', document: sample });
    const file = join(folder, 'mine/a.understory.yaml');
    await call('document.save', {
      kind: 'scenario',
      file,
      text: minimalScenario,
      isReplacing: false,
    });
    for (const other of [
      '/',
      folder,
      `${folder}/mine/..`,
      `${folder}/mine2`,
      join(folder, 'assets'),
    ]) {
      const listed = call('document.folder', { folder: other });
      await expect(listed, other).rejects.toMatchObject({ code: 'bad-input' });
    }
  });
});
