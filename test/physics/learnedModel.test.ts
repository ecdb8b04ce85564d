// A learned model in a scenario, by the command line: checked, planned, scanned, refused where it must be.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runHere } from '#test/support/commandLine.ts';
import { temporaryFolder } from '#test/support/folder.ts';
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

/** Where a line from the origin is nearest to a round element. */
const onLineM = (meanM: readonly number[], along: readonly number[]): number =>
  meanM.reduce((sum, part, axis) => sum + part * (along[axis] ?? NaN), 0);

/** The elements that a line from the origin pierces; null where one of them is in doubt. */
function piercedBy(along: readonly number[]): typeof elements | null {
  const distanceM = (meanM: readonly number[]): number =>
    Math.sqrt(Math.max(0, onLineM(meanM, meanM) - onLineM(meanM, along) ** 2));
  const edgeM = 0.2;
  const ahead = elements.filter(({ meanM }) => onLineM(meanM, along) > 0);
  if (ahead.some(({ meanM }) => Math.abs(distanceM(meanM) - edgeM) < 0.03)) return null;
  return ahead.filter(({ meanM }) => distanceM(meanM) < edgeM);
}

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
    for (const { object_id, range_m = 0 } of hedge) {
      expect(object_id).toBe(1);
      expect(range_m).toBeLessThan(12.5);
    }
    for (const { object_id } of wall) expect(object_id).toBe(2);
  });

  it('reports the fewest beams that observed what a pulse passed or ended on, misses included', async () => {
    // Without the wall pulses that pass the hedge have no return.
    writeFileSync(join(folder, 'scene.yaml'), scene().replace(/^.*name: wall.*$/m, ''));
    const beam = ',beam_direction_x,beam_direction_y,beam_direction_z,return_no';
    expect(await scanTo('a.csv', '--misses', '--columns', `${columns}${beam}`)).toMatchObject({
      exitCode: 0,
    });
    let [misses, passedMore] = [0, 0];
    for (const row of table('a.csv')) {
      const along = ['x', 'y', 'z'].map((axis) => row[`beam_direction_${axis}`] ?? NaN);
      const pierced = piercedBy(along);
      if (pierced === null) continue;
      const stop = row['return_no'] === 0 ? undefined : elements[row['triangle_id'] ?? -1];
      const untilM = stop === undefined ? Infinity : onLineM(stop.meanM, along) + 1e-6;
      const met = pierced.filter(({ meanM }) => onLineM(meanM, along) <= untilM);
      const fewest = met.length === 0 ? 0 : Math.min(...met.map(({ support }) => support));
      expect(row['support']).toBe(fewest);
      if (row['return_no'] === 0 && fewest > 0) misses += 1;
      if (stop !== undefined && fewest < stop.support) passedMore += 1;
    }
    expect(misses).toBeGreaterThan(100);
    expect(passedMore).toBeGreaterThan(20);
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
    expect(check.stderr).toContain(`scene.models.hedge.file: ${join(folder, 'hedge.ply')}, byte `);
    expect(check.stderr).toContain('expected a permeability of 0 to 1, found 1.5');
    expect(check.exitCode).toBe(2);
  });

  it('is refused where plants stand in its place, too', async () => {
    const bush = (xM: number, isHedge: boolean): string => `
understory: 2
name: A bush
scene:
  materials: { leaf: { reflectance: 0.5 }, bark: { reflectance: 0.3 } }
  models:
    bush: { kind: plant, plant: potted-shrub }
    hedge: { kind: learned, file: hedge.ply, material: leaf }
  instances:
    - { name: bush, model: bush, positionM: [${xM}, 0, 0], onGround: false }
${isHedge ? '    - { name: hedge, model: hedge, positionM: [0, 0, 0], onGround: false }' : ''}
`;
    const points = 'return_no,hit_x_m,hit_y_m,hit_z_m';
    writeFileSync(join(folder, 'scene.yaml'), bush(4, false));
    const scanned = await scanTo('bush.csv', '--pose', '0,0,0.5,0', '--columns', points);
    expect(scanned).toMatchObject({ exitCode: 0 });
    // Where its leaves are.
    const found = table('bush.csv').map((row) => ({
      meanM: [row['hit_x_m'] ?? NaN, row['hit_y_m'] ?? NaN, row['hit_z_m'] ?? NaN] as const,
      sigmaM: 0.05,
      permeability: 0.5,
      support: 20,
    }));
    expect(found.length).toBeGreaterThan(20);
    writeFileSync(join(folder, 'hedge.ply'), learnedPly(found));
    const plan = async (xM: number): ReturnType<typeof runHere> => {
      writeFileSync(join(folder, 'scene.yaml'), bush(xM, true));
      return runHere(folder, 'scenario', 'plan', join(folder, 'scene.yaml'));
    };
    const refused = await plan(4);
    expect(refused.exitCode).not.toBe(0);
    expect(refused.stderr).toContain("100 % of them in plants such as 'bush'");
    expect(await plan(9)).toMatchObject({ exitCode: 0 });
    const check = async (xM: number): ReturnType<typeof runHere> => {
      writeFileSync(join(folder, 'scene.yaml'), bush(xM, true));
      return runHere(folder, 'scenario', 'check', join(folder, 'scene.yaml'));
    };
    const problem = await check(4);
    expect(problem.exitCode).toBe(2);
    expect(problem.stderr).toContain(
      "scene.models.hedge: model 'hedge': expected elements where no",
    );
    expect(await check(9)).toMatchObject({ exitCode: 0 });
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
