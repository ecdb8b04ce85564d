// Documents on real files: samples, files beside a scenario, meshes, height fields, and every problem.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encode } from 'fast-png';
import type { RequestedSensor } from '#services/documents/rig.ts';
import { describe, expect, it } from 'vitest';
import { UnderstoryError } from '#contract/errors.ts';
import { createNodeFiles } from '#hosts/node/nodeFiles.ts';
import { createDocuments, type Documents } from '#services/documents/documents.ts';
import { minimalScenario, minimalSensor } from '#test/support/documents.ts';
import { temporaryFolder } from '#test/support/folder.ts';

/** Documents over a folder of its own: assets/ with one sensor and one scenario, beside them `extra`. */
function documentsOf(extra: Record<string, string | Uint8Array> = {}): {
  documents: Documents;
  folder: string;
} {
  const folder = temporaryFolder();
  for (const name of ['sensors', 'scenarios', 'plants', 'species', 'campaigns']) {
    mkdirSync(join(folder, 'assets', name), { recursive: true });
  }
  const files = {
    'assets/sensors/test.yaml': minimalSensor,
    'assets/scenarios/sample.understory.yaml': minimalScenario,
    ...extra,
  };
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  const assetsFolder = join(folder, 'assets');
  return { documents: createDocuments({ files: createNodeFiles({ assetsFolder }) }), folder };
}

const withSensor = `${minimalScenario}sensors:\n  - { name: lidar, sensor: test }\n`;
const cube = '{ kind: box, sizeM: [1, 1, 1], material: soil }';
const meshScenario = minimalScenario.replace(
  cube,
  '{ kind: mesh, file: rock.stl, unit: cm, upAxis: z, material: soil }',
);
const heightField =
  '  ground: { kind: height-field, file: h.png, sizeM: [2, 1], zM: [1, 3], material: soil }\n';

function greyPng(width: number, height: number, values: number[], channels = 1): Uint8Array {
  return encode({ width, height, data: Uint16Array.from(values), depth: 16, channels });
}

describe('loadScenario', () => {
  it('reads a sample by its id, a file by its name', async () => {
    const { documents, folder } = documentsOf({ 'mine/a.understory.yaml': withSensor });
    const sample = await documents.loadScenario('sample');
    expect(sample.value?.compiled.scenario.name).toBe('test');
    expect(sample.value?.compiled.sensors).toEqual([]);
    const mine = await documents.loadScenario(join(folder, 'mine/a.understory.yaml'));
    expect(mine.value?.compiled.sensors[0]).toMatchObject({
      name: 'lidar',
      recipe: { id: 'test', slotsPerSecond: 1000 },
      mount: { positionM: [0, 0, 2], rotation: [0, 0, 0, 1] },
    });
    expect(mine.value?.heights).toHaveLength(0);
  });

  it('lists the existing names when asked for another', async () => {
    const { documents } = documentsOf();
    expect((await documents.loadScenario('nope')).problems).toEqual([
      {
        path: 'scenario',
        code: 'not-found',
        message: "expected a scenario file, or one of sample, found 'nope'",
      },
    ]);
    expect((await documents.loadSensor('nope')).problems[0]?.message).toBe(
      "expected a sensor file, or one of test, found 'nope'",
    );
  });

  it('looks for files beside the scenario, and says where it found no such file', async () => {
    const text = withSensor
      .replace('sensor: test', 'sensor: own/mine.yaml')
      .replace(cube, '{ kind: plant, plant: oak.yaml }');
    const { documents, folder } = documentsOf({
      'mine/a.yaml': text,
      'mine/own/mine.yaml': minimalSensor.replace('id: test', 'id: mine'),
    });
    const { problems } = await documents.loadScenario(join(folder, 'mine/a.yaml'));
    expect(problems.map(({ path, code }) => [path, code])).toEqual([
      ['scene.models.cube.plant', 'not-found'],
    ]);
    const plain = withSensor.replace('sensor: test', 'sensor: own/mine.yaml');
    writeFileSync(join(folder, 'mine/a.yaml'), plain);
    const { value } = await documents.loadScenario(join(folder, 'mine/a.yaml'));
    expect(value?.compiled.sensors[0]?.recipe.id).toBe('mine');
  });

  it('reports problems of all referred files at once, with file, path and line', async () => {
    const { documents, folder } = documentsOf({
      'a.yaml': withSensor
        .replace('sensor: test', 'sensor: bad.yaml')
        .replace(cube, '{ kind: plant, plant: bad.yaml }'),
      'bad.yaml': minimalSensor.replace('maxM: 100', 'maxM: -1'),
    });
    const { value, problems } = await documents.loadScenario(join(folder, 'a.yaml'));
    expect(value).toBeNull();
    expect(problems).toContainEqual({
      path: 'sensors[0].sensor',
      code: 'too_small',
      message: `${join(folder, 'bad.yaml')}: range.maxM: expected more than 0, found -1 (line 8)`,
    });
    const ofPlant = problems.filter(({ path }) => path === 'scene.models.cube.plant');
    expect(ofPlant.length).toBeGreaterThan(0);
    for (const { message } of ofPlant) expect(message).toContain('bad.yaml: ');
  });

  it('lists problems of the scenario and of the files it refers to', async () => {
    const text = [
      'understory: 2',
      'scene:',
      '  materials:',
      '    soil: { reflectance: 3 }',
      '  models:',
      '    rock: { kind: mesh, file: rock.stl, unit: cm, upAxis: q, material: soil }',
      '    oak: { kind: plant, plant: bad.yaml, unit: cm }',
      '    ash: { kind: plant, plant: nope }',
      "    elm: { kind: plant, plant: '' }",
      '  ground: { kind: height-field, file: h.png, zM: 3, material: soil }',
      'sensors:',
      '  - { sensor: nope }',
      '  - 7',
    ].join('\n');
    const { documents, folder } = documentsOf({
      'a.yaml': text,
      'bad.yaml': minimalSensor,
      'h.png': greyPng(1, 1, [0]),
    });
    const file = join(folder, 'a.yaml');
    const at = async (requested: RequestedSensor | null = null): Promise<Set<string>> => {
      const { problems } = await documents.loadScenario(file, {}, requested);
      const once = problems.map(({ path, message }) => `${path} ${message}`);
      expect(new Set(once).size).toBe(once.length);
      return new Set(problems.map(({ path }) => path));
    };
    const ofScenario = [
      'name',
      'scene.materials.soil.reflectance',
      'scene.models.rock.upAxis',
      'scene.models.elm.plant',
      'scene.ground.sizeM',
      'sensors[1]',
    ];
    const ofFiles = [
      'scene.models.rock.file',
      'scene.models.oak.plant',
      'scene.models.ash.plant',
      'scene.ground.file',
    ];
    const paths = await at();
    for (const path of [...ofScenario, ...ofFiles, 'sensors[0].sensor'])
      expect(paths).toContain(path);
    // A sensor given from outside takes the place of all others.
    expect(await at({ sensor: 'test' })).not.toContain('sensors[0].sensor');
    const withOther = await at({ sensor: 'other', mode: 'best' });
    expect(withOther).toContain('sensor');
    expect(withOther).not.toContain('sensors[0].sensor');
    expect(withOther).toContain('mode');
  });

  it('hashes what meshes hold, not where they lie', async () => {
    const { documents, folder } = documentsOf({
      'a/s.yaml': meshScenario,
      'a/rock.stl': 'solid a\nendsolid a\n',
      'b/s.yaml': meshScenario,
      'b/rock.stl': 'solid a\nendsolid a\n',
    });
    const hashOf = async (name: string): Promise<string | undefined> =>
      (await documents.loadScenario(join(folder, name))).value?.compiled.scenarioHash;
    const before = await hashOf('a/s.yaml');
    expect(before).toMatch(/^[0-9a-f]{64}$/);
    expect(await hashOf('b/s.yaml')).toBe(before);
    writeFileSync(join(folder, 'b/rock.stl'), 'solid b\nendsolid b\n');
    expect(await hashOf('b/s.yaml')).not.toBe(before);
    const { value } = await documents.loadScenario(join(folder, 'a/s.yaml'));
    expect(value?.compiled.recipe.models[0]?.source).toMatchObject({
      file: join(folder, 'a/rock.stl'),
      format: 'stl',
      unitM: 0.01,
    });
  });

  it('refuses a mesh that is missing or of another format', async () => {
    const { documents, folder } = documentsOf({
      'a.yaml': meshScenario,
      'b.yaml': meshScenario.replace('rock.stl', 'rock.fbx'),
    });
    const missing = await documents.loadScenario(join(folder, 'a.yaml'));
    expect(missing.problems[0]).toMatchObject({
      path: 'scene.models.cube.file',
      code: 'not-found',
    });
    const other = await documents.loadScenario(join(folder, 'b.yaml'));
    expect(other.problems[0]?.message).toContain('expected a file .obj, .ply or .stl');
  });

  it('turns a grey picture into metres, rows from the south', async () => {
    const { documents, folder } = documentsOf({
      'a.yaml': minimalScenario.replace('  models:\n', `${heightField}  models:\n`),
      // North row: black, middle, white. South row: white, black, black.
      'h.png': greyPng(3, 2, [0, 32767, 65535, 65535, 0, 0]),
    });
    const { value, problems } = await documents.loadScenario(join(folder, 'a.yaml'));
    expect(problems).toEqual([]);
    const heights = Array.from(value?.heights ?? []);
    expect(heights[4]).toBeCloseTo(2, 4);
    heights[4] = 2;
    expect(heights).toEqual([3, 1, 1, 1, 2, 3]);
    expect(value?.compiled.recipe.models.at(-1)?.source).toMatchObject({
      columns: 3,
      rows: 2,
      originM: [-1, -0.5],
      stepM: [1, 1],
    });
  });

  it('refuses a file that is no image, and an image that is not grey', async () => {
    const scenario = minimalScenario.replace('  models:\n', `${heightField}  models:\n`);
    const { documents, folder } = documentsOf({ 'a.yaml': scenario, 'h.png': 'no picture' });
    const messageOf = async (): Promise<string | undefined> => {
      const [problem] = (await documents.loadScenario(join(folder, 'a.yaml'))).problems;
      expect(problem?.path).toBe('scene.ground.file');
      return problem?.message;
    };
    expect(await messageOf()).toContain('expected a PNG');
    writeFileSync(join(folder, 'h.png'), greyPng(1, 1, [1, 2, 3], 3));
    expect(await messageOf()).toContain('expected 16-bit grey, found 16 bits and 3 channels');
    writeFileSync(join(folder, 'h.png'), greyPng(1, 2, [1, 2]));
    expect(await messageOf()).toContain('expected at least 2 × 2 samples, found 1 × 2');
  });

  it('replaces seed and sensor, at the mount the scenario has', async () => {
    const { documents, folder } = documentsOf({
      'a.yaml': withSensor.replace('sensor: test', 'sensor: test, mount: { yawDeg: 180 }'),
      'other.yaml': minimalSensor.replace('id: test', 'id: other'),
    });
    const plain = await documents.loadScenario(join(folder, 'a.yaml'));
    const { value } = await documents.loadScenario(
      join(folder, 'a.yaml'),
      { seed: 9 },
      { sensor: join(folder, 'other.yaml'), rateHz: 20, mode: 'last' },
    );
    expect(value?.compiled.scenario.seed).toBe(9);
    expect(value?.compiled.recipe.seed).toBe(9);
    expect(value?.compiled.sensors).toHaveLength(1);
    expect(value?.compiled.sensors[0]?.recipe).toMatchObject({
      id: 'other',
      slotsPerSecond: 2000,
      returns: { mode: 'last' },
    });
    expect(value?.compiled.sensors[0]?.mount.rotation[2]).toBeCloseTo(1, 15);
    expect(value?.compiled.scenarioHash).not.toBe(plain.value?.compiled.scenarioHash);
  });

  it('mounts a sensor 2 m up where the scenario has none', async () => {
    const { documents } = documentsOf();
    const { value } = await documents.loadScenario('sample', {}, { sensor: 'test' });
    expect(value?.compiled.sensors[0]).toMatchObject({
      name: 'lidar',
      mount: { positionM: [0, 0, 2], rotation: [0, 0, 0, 1] },
    });
  });

  it('reports a rate and a mode that the sensor does not have', async () => {
    const { documents, folder } = documentsOf({
      'slow.yaml': minimalSensor.replace('rateHz: 10,', 'rateHz: 10, rateRangeHz: [5, 15],'),
    });
    const requested = { sensor: join(folder, 'slow.yaml'), rateHz: 20, mode: 'weakest' };
    const { problems } = await documents.loadScenario('sample', {}, requested);
    expect(problems.map(({ path }) => path)).toEqual(['mode', 'rateHz']);
  });
});

describe('compile', () => {
  it('names the sensor that was given where it is what cannot be used', async () => {
    const { documents, folder } = documentsOf({
      'bad.yaml': minimalSensor.replace('rateHz: 10', 'rateHz: -10'),
      'worse.yaml': minimalScenario.replace('0.3', '3'),
    });
    const sensor = join(folder, 'bad.yaml');
    const messageOf = (scenario: string): Promise<unknown> =>
      documents.compile(scenario, {}, { sensor }).then(
        () => null,
        (error: unknown) => (error as UnderstoryError).message,
      );
    expect(await messageOf('sample')).toContain(`sensor '${sensor}' cannot be used`);
    expect(await messageOf('sample')).toContain(`sensor: ${sensor}: scan.rateHz: expected`);
    const worse = join(folder, 'worse.yaml');
    expect(await messageOf(worse)).toContain(`scenario '${worse}' cannot be used`);
    expect(await messageOf(worse)).toContain(`sensor: ${sensor}: scan.rateHz: expected`);
  });

  it('throws one failure with every problem', async () => {
    const { documents, folder } = documentsOf({
      'a.yaml': minimalScenario.replace('0.3', '3').replace('name: a,', 'name: a, colour: red,'),
    });
    const failure = await documents
      .compile(join(folder, 'a.yaml'))
      .catch((error: unknown) => error);
    if (!(failure instanceof UnderstoryError)) throw new Error('expected a failure');
    expect(failure.code).toBe('bad-input');
    expect(failure.details['problems']).toHaveLength(2);
    expect(failure.message).toContain('scene.materials.soil.reflectance: expected at most 1');
  });
});

describe('lists', () => {
  it('names samples by id, and leaves out what cannot be read', async () => {
    const { documents } = documentsOf({ 'assets/sensors/broken.yaml': 'id: [' });
    expect((await documents.listSensors()).map(({ id, name }) => [id, name])).toEqual([
      ['test', 'test'],
    ]);
    expect((await documents.listScenarios()).map(({ id }) => id)).toEqual(['sample']);
  });
});
