// `scenario import` from the command line to a scan: files that other programs write become scenarios without problems,
// and what came over is where and as large as the file says.
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Replies } from '#contract/host/methods.ts';
import type { Scenario } from '#contract/documents/scenario.ts';
import { glbOf, treeGltf } from '#test/domain/import/glb.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { runHere } from '#test/support/commandLine.ts';

const fixtures = fileURLToPath(new URL('../../services/scenarios/fixtures', import.meta.url));
type Report = Replies['scenario.import'];

async function run(folder: string, ...args: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await runHere(folder, ...args);
  expect(stderr.split('\n').filter((line) => line.startsWith('understory:'))).toEqual([]);
  expect(exitCode).toBe(0);
  return stdout;
}

async function report(folder: string, ...args: string[]): Promise<Report> {
  return JSON.parse(await run(folder, 'scenario', 'import', ...args, '--json')) as Report;
}

function sceneOf(file: string): Scenario['scene'] {
  return (parse(readFileSync(file, 'utf8')) as Scenario).scene;
}

interface Plan {
  minM: [number, number, number];
  maxM: [number, number, number];
  instances: number;
}

async function planOf(folder: string, scenario: string): Promise<Plan> {
  return JSON.parse(await run(folder, 'scenario', 'plan', scenario, '--json')) as Plan;
}

describe('scenario import of a tree list', { timeout: 300_000 }, () => {
  it.each([
    ['Quercus robur', 18, 9],
    ['Picea abies', 25, 6],
    ['Corylus avellana', 3, 3],
  ])('makes a %s of %d m with a crown of %d m', async (species, heightM, crownM) => {
    const folder = temporaryFolder();
    writeFileSync(
      join(folder, 'stand.csv'),
      `x,y,z,species,height,crown\n474500,5474500,100,${species},${heightM},${crownM}\n`,
    );
    const { scenario } = await report(folder, 'stand.csv', '--out', 'plot');
    expect(scenario).toBe(join(folder, 'plot', 'stand.understory.yaml'));
    expect(sceneOf(scenario).origin).toEqual([474500, 5474500, 100]);
    const { minM, maxM, instances } = await planOf(folder, scenario);
    expect(instances).toBe(1);
    expect(Math.abs(minM[2])).toBeLessThan(0.1);
    expect(Math.abs(maxM[2] / heightM - 1)).toBeLessThan(0.05);
    const widthM = (maxM[0] - minM[0] + maxM[1] - minM[1]) / 2;
    // A step of crowns is 1.2: at most 10 % off; the laws of plantVariant.ts add some per cent.
    expect(Math.abs(widthM / crownM - 1)).toBeLessThan(0.15);
  });

  it('refuses with the line, and does not replace a file unasked', async () => {
    const folder = temporaryFolder({ 'stand.csv': 'x,y,height\n1,2,tall\n' });
    const bad = await runHere(folder, 'scenario', 'import', 'stand.csv', '--out', 'a.yaml');
    expect(bad.exitCode).not.toBe(0);
    expect(bad.stderr).toContain(
      "stand.csv: line 2: expected a height above 0, found '1, 2, tall'",
    );
    expect(existsSync(join(folder, 'a.yaml'))).toBe(false);
    writeFileSync(join(folder, 'a.yaml'), 'mine');
    const there = await runHere(folder, 'scenario', 'import', 'stand.csv', '--out', 'a.yaml');
    expect(there.stderr).toContain('--force replaces it');
    expect(readFileSync(join(folder, 'a.yaml'), 'utf8')).toBe('mine');
  });
});

/** slope.tif, by GDAL 3.6 (gdal_translate; DEFLATE, predictor 3, tiles): 12 × 10 cells of 2 m from (500000, 5400000). */
function slopeM(x: number, y: number): number {
  return 300 + (0.5 * (x - 500_001)) / 2 + (0.25 * (y - 5_400_001)) / 2;
}

describe('scenario import of terrain', { timeout: 300_000 }, () => {
  it('takes place, system and heights of a GeoTIFF, with trees on it', async () => {
    const folder = temporaryFolder();
    cpSync(join(fixtures, 'slope.tif'), join(folder, 'slope.tif'));
    writeFileSync(join(folder, 'trees.csv'), 'x,y,species,height\n500010,5400010,oak,8\n');
    const { scenario, sources } = await report(folder, 'slope.tif', 'trees.csv', '--out', 'plot');
    const [terrain] = sources;
    expect(terrain?.imported).toEqual([{ what: 'heights (11 × 10)', count: 110 }]);
    expect(terrain?.ignored).toEqual([{ what: 'heights outside (nodata at edges)', count: 10 }]);
    expect(terrain?.notes[0]).toContain('1 heights without data (0.91 %)');
    const scene = sceneOf(scenario);
    expect(scene.origin).toEqual([500_000, 5_400_000, 300]);
    expect(scene.crs).toBe('EPSG:25832');
    expect(scene.ground).toMatchObject({
      kind: 'height-field',
      sizeM: [20, 18],
      centreM: [500_011, 5_400_010],
      zM: [slopeM(500_001, 5_400_001), slopeM(500_021, 5_400_019)],
    });
    await run(folder, 'scenario', 'check', scenario);
    const pose = ['--sensor', 'vlp-16', '--pose', '500005,5400005,303,0,0'];
    await run(folder, 'scan', scenario, ...pose, '--seconds', '0.1', '--out', 'cloud.csv');
    expect(readFileSync(join(folder, 'cloud.csv'), 'utf8').split('\n').length).toBeGreaterThan(
      1000,
    );
  });

  it('reads the same from an ESRI ASCII grid with a .prj beside it', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'in'));
    const rows = Array.from({ length: 10 }, (_, row) =>
      Array.from({ length: 12 }, (__, column) =>
        column === 11 || (row === 4 && column === 5)
          ? -9999
          : slopeM(500_001 + 2 * column, 5_400_019 - 2 * row),
      ).join(' '),
    );
    const head = 'ncols 12\nnrows 10\nxllcorner 500000\nyllcorner 5400000\ncellsize 2\n';
    writeFileSync(join(folder, 'in', 's.asc'), `${head}NODATA_value -9999\n${rows.join('\n')}\n`);
    cpSync(join(fixtures, 'slope.tif'), join(folder, 'in', 's.tif'));
    const fromAscii = await report(folder, 'in/s.asc', '--crs', 'EPSG:25832', '--out', 'a/s.yaml');
    const fromTiff = await report(folder, 'in/s.tif', '--out', 'b/s.yaml');
    expect(sceneOf(fromAscii.scenario)).toEqual(sceneOf(fromTiff.scenario));
    const picture = (files: string[]) => readFileSync(files[0] ?? '');
    expect(picture(fromAscii.files).equals(picture(fromTiff.files))).toBe(true);
  });

  it('refuses damaged and unplaced files', async () => {
    const folder = temporaryFolder();
    const whole = readFileSync(join(fixtures, 'slope.tif'));
    const cases: [Uint8Array, RegExp][] = [
      [whole.subarray(0, 100), /expected a GeoTIFF, found a directory outside the file/],
      [new Uint8Array(300), /expected a GeoTIFF, found a damaged one/],
      [withTag(whole, 256, 2_000_000_000), /expected at most 16384 × 16384/],
      [withTag(whole, 322, 100_000_000), /expected tiles no larger than the image or 4096 × 4096/],
      [withoutTag(whole, 33922), /found a TIFF without one/],
    ];
    for (const [bytes, expected] of cases) {
      writeFileSync(join(folder, 'bad.tif'), bytes);
      const { exitCode, stderr } = await runHere(
        folder,
        'scenario',
        'import',
        'bad.tif',
        '--out',
        'x',
      );
      expect(stderr).toMatch(expected);
      expect(exitCode).not.toBe(0);
    }
  });
});

describe('scenario import of glTF', { timeout: 300_000 }, () => {
  it('makes a scenario that can be scanned', async () => {
    const folder = temporaryFolder();
    const { json, bin } = treeGltf();
    writeFileSync(join(folder, 'tree.glb'), glbOf(json, bin));
    const { scenario, sources, files } = await report(folder, 'tree.glb', '--out', 'plot');
    expect(sources[0]?.imported).toContainEqual({ what: 'objects', count: 3 });
    expect(files.every((file) => existsSync(file))).toBe(true);
    const { minM, maxM } = await planOf(folder, scenario);
    // The mirrored node reaches from x = -3, the first one to x = 4; the second, twice as large, from z = 1 to 5.
    expect([minM[0], maxM[0], minM[2], maxM[2]]).toEqual([-3, 4, 0, 5]);
    // Before the bark of the mirrored node, a quarter of its height above the ground.
    const pose = ['--sensor', 'line-lidar', '--pose', '-1,-5,0.5,90'];
    await run(folder, 'scan', scenario, ...pose, '--seconds', '0.1', '--out', 'cloud.csv');
    expect(readFileSync(join(folder, 'cloud.csv'), 'utf8').split('\n').length).toBeGreaterThan(10);
  });
});

/** A tetrahedron of 2 m on its base, z up. */
const tetrahedron =
  'v 0 0 0\nv 2 0 0\nv 0 2 0\nv 0 0 2\nusemtl rock\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n';

describe('scenario import of scenes of other simulators', { timeout: 300_000 }, () => {
  it('finds the meshes of a MAVS scene and scales them unequally', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'scenes', 'meshes'), { recursive: true });
    writeFileSync(join(folder, 'scenes', 'meshes', 'rock.obj'), tetrahedron);
    const instances = [{ Position: [5, 0, 0] }, { Position: [0, 5, 0], Scale: [1, 1, 3] }];
    const objects = [{ Mesh: 'rock.obj', 'Rotate Y to Z': false, Instances: instances }];
    writeFileSync(join(folder, 'scenes', 'yard.json'), JSON.stringify({ Objects: objects }));
    const { scenario, files } = await report(folder, 'scenes/yard.json', '--out', 'plot');
    expect(files).toHaveLength(1);
    expect(sceneOf(scenario).models['rock']).toMatchObject({ file: '../scenes/meshes/rock.obj' });
    const { minM, maxM } = await planOf(folder, scenario);
    expect([minM, maxM]).toEqual([
      [0, 0, 0],
      [7, 7, 6],
    ]);
  });

  it('finds scene and meshes of a HELIOS++ survey from its root', async () => {
    const folder = temporaryFolder();
    for (const name of ['surveys', 'scenes', 'parts']) {
      mkdirSync(join(folder, 'root', 'data', name), { recursive: true });
    }
    const write = (name: string, text: string) => writeFileSync(join(folder, 'root', name), text);
    write('data/parts/rock.obj', tetrahedron);
    const loader =
      '<filter type="objloader"><param key="filepath" value="data/parts/rock.obj"/></filter>';
    const shift =
      '<filter type="translate"><param key="offset" value="474500;5474500;0"/></filter>';
    write(
      'data/scenes/yard.xml',
      `<document><scene id="yard"><part>${loader}${shift}</part></scene></document>`,
    );
    const leg = '<leg><platformSettings x="474503" y="5474500" z="1"/><scannerSettings/></leg>';
    const references =
      'scene="data/scenes/yard.xml#yard" platform="data/platforms.xml#tripod" scanner="data/s.xml#vlp16"';
    write('data/surveys/s.xml', `<document><survey ${references}>${leg}</survey></document>`);
    const { scenario, sources } = await report(folder, 'root/data/surveys/s.xml', '--out', 'plot');
    expect(sources[0]?.imported).toContainEqual({ what: 'positions', count: 1 });
    expect(sceneOf(scenario).origin).toEqual([474500, 5474500, 0]);
    await run(folder, 'scenario', 'check', scenario);
    // The leg is the scenario's survey, by the scanner: nothing is to be named. Lasers lie within 5 cm of its centre.
    const options = ['--columns', 'beam_origin_x_m', '--misses', '--set', 'survey.seconds=0.01'];
    await run(folder, 'scan', scenario, ...options, '--out', 'plot.csv');
    const [, ...rows] = readFileSync(join(folder, 'plot.csv'), 'utf8').trim().split('\n');
    // 0.01 s of 16 lasers, one firing each 55.296 µs.
    expect(rows.length).toBeGreaterThanOrEqual(16 * 180);
    const xM = rows.map((row) => Number(row.split(',').at(0)));
    expect(Math.max(...xM.map((x) => Math.abs(x - 474_503)))).toBeLessThan(0.05);
  });
});

/** Where the entry of a tag begins in a little-endian TIFF of one directory. */
function entryOf(bytes: Buffer, tag: number): number {
  const first = bytes.readUInt32LE(4);
  const entries = bytes.readUInt16LE(first);
  for (let entry = 0; entry < entries; entry += 1) {
    const at = first + 2 + 12 * entry;
    if (bytes.readUInt16LE(at) === tag) return at;
  }
  throw new Error(`no tag ${tag}`);
}

/** The same with a tag of one number changed, as a long. */
function withTag(bytes: Buffer, tag: number, value: number): Buffer {
  const changed = Buffer.from(bytes);
  const at = entryOf(changed, tag);
  changed.writeUInt16LE(4, at + 2);
  changed.writeUInt32LE(1, at + 4);
  changed.writeUInt32LE(value, at + 8);
  return changed;
}

/** The same with the tag under a private number. */
function withoutTag(bytes: Buffer, tag: number): Buffer {
  const changed = Buffer.from(bytes);
  changed.writeUInt16LE(65_000, entryOf(changed, tag));
  return changed;
}
