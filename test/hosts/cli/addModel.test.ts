// `scenario add-model` with the real worker: a new scenario along a log, a model in a scenario that is there, refusals.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Scenario } from '#contract/documents/scenario.ts';
import {
  normal,
  originM,
  randomNumbers,
  writeBeams,
  type Beam,
} from '#test/services/learning/beamsOfSite.ts';
import { createLogFolder } from './logFolder.ts';
import { runHere } from '#test/support/commandLine.ts';

const { folder, fileOf, run } = createLogFolder();
const [crs, otherCrs] = ['EPSG:32632', 'EPSG:32633'];

/** A drive of 20 m eastwards, 2 m above level ground that is 1 m below the origin of the site. */
function drive(): Beam[] {
  const random = randomNumbers(5);
  const beams = 20_000;
  return Array.from({ length: beams }, (_, beam) => {
    const origin = [(20 * beam) / (beams - 1), 8 * random() - 4, 1] as const;
    return { origin, direction: [0, 0, -1] as const, rangeM: 2 + 0.005 * normal(random) };
  });
}

const scene = (head: string): string => `understory: 2
name: yard # of the garden
scene:
${head}
  # Of the fence, too.
  materials: { wood: { reflectance: 0.4 } }
  models:
    box: { kind: box, sizeM: [1, 1, 1], material: wood }
    stone: { kind: mesh, file: stone.obj, unit: m, upAxis: z, material: wood }
  ground: { kind: plane, centreM: [500000, 4000000], sizeM: [60, 60], material: wood }
  instances:
    - { name: box, model: box, positionM: [500000, 4000000, 299] } # beside the gate
sensors: [{ name: lidar, sensor: vlp-16 }]
`;
const here = `  origin: [500000, 4000000, 299]\n  crs: ${crs}`;

async function refused(...args: string[]): Promise<string> {
  const { exitCode, stderr } = await runHere(folder, 'scenario', 'add-model', ...args);
  expect(exitCode).not.toBe(0);
  return stderr;
}

function scenarioOf(name: string): Scenario {
  return parse(readFileSync(fileOf(name), 'utf8')) as Scenario;
}

beforeAll(async () => {
  await writeBeams(fileOf('site.log'), drive(), crs);
  await writeBeams(fileOf('elsewhere.log'), drive(), otherCrs);
  await run('learn', 'site.log', '--model', 'voxel', '--out', 'site.ply');
  mkdirSync(fileOf('yard'));
  writeFileSync(fileOf('yard/stone.obj'), 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n');
  writeFileSync(fileOf('yard/yard.yaml'), scene(here));
}, 120_000);

describe('a new scenario', () => {
  it('has the model where the log was, ground below it and a drive along it', async () => {
    const args = ['site.ply', '--log', 'site.log', '--out', 'a.understory.yaml'];
    expect(await run('scenario', 'add-model', ...args)).toBe(`${fileOf('a.understory.yaml')}\n`);
    const { name, scene, mission } = scenarioOf('a.understory.yaml');
    expect(name).toBe('a');
    expect(scene.models['site']).toMatchObject({ kind: 'learned', file: 'site.ply' });
    expect(scene.crs).toBe(crs);
    // Noise of 5 mm: its lower tenth is 6.4 mm below the mean.
    expect(Math.abs((scene.origin?.[2] ?? NaN) - (originM[2] - 1))).toBeLessThan(0.03);
    const { startM = [], goalM = [] } = mission ?? {};
    expect((goalM[0] ?? NaN) - (startM[0] ?? NaN)).toBeCloseTo(20, 1);
    await run('scenario', 'check', fileOf('a.understory.yaml'));
  });

  it('without a log is at the origin of the model', async () => {
    await run('scenario', 'add-model', 'site.ply', '--out', 'plain.yaml', '--json');
    expect(scenarioOf('plain.yaml').scene.origin?.slice(0, 2)).toEqual([500_000, 4_000_000]);
  });

  it('can be in the folder of scenarios, and replaces none unasked', async () => {
    const out = 'data/scenarios/site.understory.yaml';
    await run('scenario', 'add-model', 'site.ply', '--out', out);
    expect(scenarioOf(out).scene.models['site']).toMatchObject({ file: fileOf('site.ply') });
    expect(await refused('site.ply', '--out', out)).toContain('--force replaces it');
    await run('scenario', 'add-model', 'site.ply', '--out', out, '--force');
    expect(await refused('site.ply', '--out', 'data/site.yaml')).toContain('data folder');
  });
});

describe('a scenario that is there', () => {
  it('keeps its comments and its files', async () => {
    await run('scenario', 'add-model', 'site.ply', '--to', 'yard/yard.yaml', '--out', 'b.yaml');
    const text = readFileSync(fileOf('b.yaml'), 'utf8');
    for (const comment of ['# of the garden', '# Of the fence, too.', '# beside the gate']) {
      expect(text).toContain(comment);
    }
    const { scene: found } = scenarioOf('b.yaml');
    expect(found.models['site']).toEqual({ kind: 'learned', file: 'site.ply', material: 'wood' });
    expect(found.models['stone']).toMatchObject({ file: 'yard/stone.obj' });
    expect(found.instances.map(({ model }) => model)).toEqual(['box', 'site']);
    expect(readFileSync(fileOf('yard/yard.yaml'), 'utf8')).toBe(scene(here));
    const again = ['site.ply', '--to', 'b.yaml', '--out', 'c.yaml'];
    expect(await refused(...again)).toContain(`places '${fileOf('site.ply')}' already`);
  });

  it('can be a sample', async () => {
    await run('scenario', 'add-model', 'site.ply', '--to', 'box', '--out', 'sample.yaml');
    expect(Object.keys(scenarioOf('sample.yaml').scene.models)).toContain('site');
  });

  it('of another coordinate reference system is refused', async () => {
    writeFileSync(fileOf('yard/far.yaml'), scene(here).replace(crs, otherCrs));
    const message = await refused('site.ply', '--to', 'yard/far.yaml', '--out', 'd.yaml');
    expect(message).toContain(`The model is in ${crs}, the scene in ${otherCrs}`);
    expect(existsSync(fileOf('d.yaml'))).toBe(false);
  });
});

describe('refused are', () => {
  it('what is no learned model, and no scenario', async () => {
    writeFileSync(fileOf('cloud.ply'), 'ply\nformat ascii 1.0\nend_header\n');
    expect(await refused('cloud.ply', '--out', 'e.yaml')).toContain('expected a PLY that');
    expect(await refused('none.ply', '--out', 'e.yaml')).toContain('none.ply');
    const to = await refused('site.ply', '--to', 'none.yaml', '--out', 'e.yaml');
    expect(to).toContain('expected a scenario file');
    writeFileSync(fileOf('bad.yaml'), 'understory: 2\nscene: 1\n');
    const bad = await refused('site.ply', '--to', 'bad.yaml', '--out', 'e.yaml');
    expect(bad).toContain("bad.yaml' has problems");
    expect(existsSync(fileOf('e.yaml'))).toBe(false);
  });

  it('a log of another system, and one beside a scenario', async () => {
    const elsewhere = await refused('site.ply', '--log', 'elsewhere.log', '--out', 'e.yaml');
    expect(elsewhere).toContain('one coordinate reference system');
    const both = ['--to', 'yard/yard.yaml', '--log', 'site.log', '--out', 'e.yaml'];
    expect(await refused('site.ply', ...both)).toContain('expected no log with a scenario');
  });

  it('inputs as the file to write, and files of another kind', async () => {
    const yard = ['--to', 'yard/yard.yaml', '--out', 'yard/yard.yaml', '--force'];
    expect(await refused('site.ply', ...yard)).toContain('read by this very work');
    const model = await refused('site.ply', '--out', 'site.ply', '--force');
    expect(model).toContain('read by this very work');
    expect(readFileSync(join(folder, 'yard/yard.yaml'), 'utf8')).toBe(scene(here));
    expect(await refused('site.ply', '--out', 'e.log')).toContain('ends in .yaml');
  });
});
