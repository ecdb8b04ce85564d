// A learned model in a scenario, by the command line: checked, planned, scanned, refused where it must be.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runHere } from '#test/hosts/cli/commandLine.ts';
import { temporaryFolder } from '#test/recordings/temporary.ts';
import { learnedPly } from './learnedPly.ts';

const scene = (more = ''): string => `
understory: 2
name: A hedge before a wall
scene:
  materials:
    leaf: { reflectance: 0.5, colour: '#00ff00' }
    stone: { reflectance: 0.25 }
    pane: { reflectance: 0, surface: { kind: mirror } }
  models:
    hedge: { kind: learned, file: hedge.ply, material: leaf }
    wall: { kind: box, sizeM: [0.5, 40, 20], material: stone }
    glazing: { kind: box, sizeM: [0.1, 1, 1], material: pane }
  instances:
    - { name: hedge, model: hedge, positionM: [0, 0, 0], onGround: false }
    - { name: wall, model: wall, positionM: [12.25, 0, 0], onGround: false }
${more}`;
const mirror = '    - { name: glazing, model: glazing, positionM: [-5, 0, 0], onGround: false }\n';

const elements = Array.from({ length: 41 * 11 }, (_, index) => ({
  meanM: [8, 0.25 * ((index % 41) - 20), 0.25 * (Math.floor(index / 41) - 5)] as const,
  sigmaM: 0.1,
  permeability: 0.6,
  support: index + 1,
}));

const scan = ['--sensor', 'vlp-16', '--pose', '0,0,0,0', '--seconds', '0.1'];
const columns = 'object_id,range_m,true_range_m,beam_share,triangle_id,learned_part,support';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  writeFileSync(join(folder, 'hedge.ply'), learnedPly(elements));
  writeFileSync(join(folder, 'scene.yaml'), scene());
});

function table(name: string): Record<string, number>[] {
  const [head = '', ...lines] = readFileSync(join(folder, name), 'utf8').trim().split('\n');
  const names = head.split(',');
  return lines.map((line) => {
    const values = line.split(',').map(Number);
    return Object.fromEntries(names.map((name, index) => [name, values[index] ?? NaN]));
  });
}

const scanTo = (out: string, ...more: string[]): ReturnType<typeof runHere> =>
  runHere(
    folder,
    'scan',
    join(folder, 'scene.yaml'),
    ...scan,
    '--columns',
    columns,
    '--out',
    out,
    ...more,
  );

describe('a learned model', () => {
  it('is checked and planned', async () => {
    const check = await runHere(folder, 'scenario', 'check', join(folder, 'scene.yaml'));
    expect(check).toMatchObject({ exitCode: 0 });
    const plan = await runHere(folder, 'scenario', 'plan', join(folder, 'scene.yaml'), '--json');
    const { models } = JSON.parse(plan.stdout) as { models: unknown[] };
    expect(models[0]).toMatchObject({ name: 'hedge', elements: 451, triangles: 0, instances: 1 });
  });

  it('returns some pulses and lets the others pass to the wall, with their ground truth', async () => {
    expect(await scanTo('a.csv')).toMatchObject({ exitCode: 0 });
    const rows = table('a.csv').filter(({ range_m = 0 }) => range_m < 14);
    const hedge = rows.filter(({ learned_part }) => learned_part === 2);
    const wall = rows.filter(({ learned_part }) => learned_part === 0);
    expect(hedge.length).toBeGreaterThan(100);
    expect(wall.length).toBeGreaterThan(100);
    for (const { object_id, triangle_id = -1, support, range_m = 0 } of hedge) {
      expect(object_id).toBe(1);
      expect(support).toBe(triangle_id + 1);
      expect(range_m).toBeLessThan(12.5);
    }
    for (const { object_id, support } of wall) expect([object_id, support]).toEqual([2, 0]);
  });

  it('gives the same bytes on any number of threads', async () => {
    await scanTo('one.csv', '--threads', '1');
    await scanTo('two.csv', '--threads', '2');
    expect(readFileSync(join(folder, 'one.csv'))).toEqual(readFileSync(join(folder, 'two.csv')));
  });

  it('is refused with the place of what is wrong in its file', async () => {
    const bytes = learnedPly(elements);
    bytes.writeFloatLE(1.5, bytes.length - 26);
    writeFileSync(join(folder, 'hedge.ply'), bytes);
    const check = await runHere(folder, 'scenario', 'check', join(folder, 'scene.yaml'));
    expect(check.stderr).toContain('scene.models.hedge.file: hedge.ply, byte ');
    expect(check.stderr).toContain('expected a permeability of 0 to 1, found 1.5');
    expect(check.exitCode).toBe(2);
  });

  it('is refused beside mirrors, which would turn pulses away from its lines', async () => {
    writeFileSync(join(folder, 'scene.yaml'), scene(mirror));
    const scanned = await scanTo('a.csv');
    expect(scanned.exitCode).not.toBe(0);
    expect(scanned.stderr).toContain(
      "model 'glazing' has material 'pane', a mirror, glass or water",
    );
  });
});
