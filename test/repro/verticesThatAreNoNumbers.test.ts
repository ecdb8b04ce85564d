// Vertices nan, inf and 1e300 of a mesh file were accepted: their facets were dropped without a word. So were facets
// without area.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runHere } from '#test/support/commandLine.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { meshModel, placed, scenario } from '#test/support/documents.ts';

const scene = scenario({
  models: { sheet: meshModel('sheet.obj') },
  instances: [placed('sheet', [5, 0, 0])],
});

const folderWith = (mesh: string): string =>
  temporaryFolder({ 'scene.yaml': scene, 'sheet.obj': mesh });

const scan = ['--sensor', 'vlp-16', '--pose', '0,0,0,0', '--seconds', '0.01', '--out', 'out.csv'];

describe('a mesh', () => {
  it.each(['nan', 'inf', '1e300'])('with a coordinate %s is refused with its line', async (bad) => {
    const folder = folderWith(`v 0 -1 -1\nv 0 1 -1\nv 0 ${bad} 1\nf 1 2 3\nf 1 2 2\n`);
    const expected = `${join(folder, 'sheet.obj')}, line 3: expected coordinates of vertex 3 within 1e+09 m`;
    const check = await runHere(folder, 'scenario', 'check', join(folder, 'scene.yaml'));
    expect(check.stderr).toContain(`scene.models.sheet.file: ${expected}`);
    expect(check.exitCode).toBe(2);
    const scanned = await runHere(folder, 'scan', join(folder, 'scene.yaml'), ...scan);
    expect(scanned.stderr).toContain(expected);
    expect(scanned.exitCode).not.toBe(0);
  });

  it('with facets without area and faces that cross themselves is used, and reported', async () => {
    const folder = folderWith(
      'v 0 -1 -1\nv 0 1 -1\nv 0 -1 1\nv 0 1 1\nf 1 2 3\nf 1 2 2\nf 1 2 1\nf 1 2 3 4\n',
    );
    const odd = [
      'scene.models.sheet: 2 triangles without area: left out',
      'scene.models.sheet: 1 face with edges that cross: the area they cover is ambiguous',
    ];
    const check = await runHere(folder, 'scenario', 'check', join(folder, 'scene.yaml'));
    expect(check).toMatchObject({ exitCode: 0 });
    const scanned = await runHere(folder, 'scan', join(folder, 'scene.yaml'), ...scan);
    expect(scanned.exitCode).toBe(0);
    for (const line of odd) {
      expect(check.stderr).toContain(line);
      expect(scanned.stderr).toContain(line);
    }
    const plan = await runHere(folder, 'scenario', 'plan', join(folder, 'scene.yaml'), '--json');
    expect(JSON.parse(plan.stdout)).toMatchObject({
      models: [{ degenerate: 2, nonPlanar: 0, selfIntersecting: 1 }],
    });
  });
});
