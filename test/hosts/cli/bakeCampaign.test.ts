// Campaigns over baked physics: each run has the bake of its seed and fields, or nothing starts.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import type { SceneInput } from '#contract/documents/scene.ts';
import { createNodeFiles } from '#hosts/node/nodeFiles.ts';
import { createCellDocuments } from '#services/campaigns/cellDocuments.ts';
import { projectRoot } from '#test/stages.ts';
import { printedJson, ran, runHere } from '#test/support/commandLine.ts';
import { scenario } from '#test/support/documents.ts';
import { falling, scatteredPosts, withDrive } from '#test/support/fallingBodies.ts';
import { temporaryFolder } from '#test/support/folder.ts';

const driven = (more: Partial<SceneInput> = {}): string => {
  const physics = { file: 'seven.bake.csv', durationS: 0.5 };
  return scenario(withDrive(falling(1, { physics, ...more })));
};

const folder = temporaryFolder({
  'posts.yaml': driven({ scatters: scatteredPosts }),
  'level.yaml': driven(),
});

/** A campaign, as a file. */
const campaign = (name: string, fields: object): string => {
  const file = join(folder, `${name}.campaign.yaml`);
  const limits = { simSeconds: 0.1 };
  writeFileSync(file, JSON.stringify({ understoryCampaign: 1, name, limits, ...fields }));
  return file;
};

const problemsOf = async (file: string): Promise<{ path: string; message: string }[]> => {
  const { stdout } = await runHere(folder, 'campaign', 'check', file, '--json');
  return JSON.parse(stdout) as { path: string; message: string }[];
};

beforeAll(async () => {
  mkdirSync(join(folder, 'data'));
  // Why a seed that is not the scenario's own: runs count, not the scenario as written.
  await ran(folder, 'scenario', 'bake', join(folder, 'posts.yaml'), '--seed=7');
});

it('a run whose seed needs another bake is refused before anything starts', async () => {
  const file = campaign('seeds', { scenarios: ['./posts.yaml'], seeds: [7, 8] });
  const problems = await problemsOf(file);
  expect(problems.map(({ path }) => path)).toEqual(['scenarios[0]']);
  expect(problems[0]?.message).toMatch(
    /^with seed=8: scene\.physics\.file: .*seven\.bake\.csv: expected the bake of this scene .*understory scenario bake .*posts\.yaml` .*; runs with different bakes need different scenarios/,
  );
  for (const verb of ['plan', 'run']) {
    const { exitCode, stderr } = await runHere(folder, 'campaign', verb, file);
    expect(exitCode).not.toBe(0);
    expect(stderr).toContain('with seed=8: scene.physics.file');
  }
  const status = await printedJson(folder, 'campaign', 'status', file);
  expect(status).toMatchObject({ pending: 2, done: 0, failed: 0 });
});

it('runs of the seed and fields that were baked execute', async () => {
  const ofBody = `returns(instance = 'cube')`;
  const fields = { scenarios: ['./posts.yaml'], seeds: [7], measures: { ofBody } };
  const file = campaign('seven', fields);
  expect(await problemsOf(file)).toEqual([]);
  expect(await printedJson(folder, 'campaign', 'run', file)).toMatchObject({ done: 1, failed: 0 });
});

it('a field that the bake depends on is refused, another is not', async () => {
  const gravity = { set: 'scene.physics.gravityMPerS2', values: [9.81, 1.62] };
  const timeoutS = { set: 'mission.timeoutS', values: [5, 6] };
  const file = campaign('moon', {
    scenarios: ['./posts.yaml'],
    seeds: [7],
    vary: { gravity, timeoutS },
  });
  const problems = await problemsOf(file);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatchObject({ path: 'scenarios[0]' });
  expect(problems[0]?.message).toContain('with seed=7, scene.physics.gravityMPerS2=1.62');
});

it('without scattered things one bake is that of every seed; a missing one is one problem', async () => {
  const named = { set: 'scene.physics.file', values: ['level.bake.csv'] };
  const fields = { scenarios: ['./level.yaml'], seeds: [1, 2, 3], vary: { named } };
  const file = campaign('level', fields);
  const problems = await problemsOf(file);
  expect(problems).toHaveLength(1);
  expect(problems[0]?.message).toMatch(/there is no file '.*level\.bake\.csv': `understory/);
  const set = '--set=scene.physics.file=level.bake.csv';
  await ran(folder, 'scenario', 'bake', join(folder, 'level.yaml'), set);
  expect(await problemsOf(file)).toEqual([]);
  rmSync(join(folder, 'level.bake.csv'));
});

it('compiled scenarios of a campaign have the bake of their seed', async () => {
  const files = createNodeFiles({ assetsFolder: join(projectRoot, 'assets') });
  const documents = createCellDocuments(files);
  const posts = join(folder, 'posts.yaml');
  const { compiled } = await documents.compile(posts, { seed: 7 });
  expect(compiled.recipe.motions?.[0]?.law).toMatchObject({ kind: 'keyframes' });
  await expect(documents.compile(posts, { seed: 8 })).rejects.toMatchObject({
    details: { problems: [{ path: 'scene.physics.file' }] },
  });
  expect((await documents.compile(posts, { seed: 7 })).compiled).toEqual(compiled);
});
