// Every document that comes with Understory is right, and says what is known of it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createNodeFiles } from '#hosts/node/nodeFiles.ts';
import {
  parseCampaign,
  parsePlant,
  parseSensor,
  parseSpecies,
} from '#domain/scenario/documentText.ts';
import { planRuns } from '#domain/campaign/planRuns.ts';
import { createDocuments } from '#services/documents/documents.ts';
import { greyValues, hillside, pictureOf, root } from './terrains.ts';

const assetsFolder = join(import.meta.dirname, '../../assets');
const documents = createDocuments({ files: createNodeFiles({ assetsFolder }) });

function yamlFiles(folder: string): string[] {
  return readdirSync(join(assetsFolder, folder)).filter((name) => name.endsWith('.yaml'));
}

function textOf(folder: string, name: string): string {
  return readFileSync(join(assetsFolder, folder, name), 'utf8');
}

/** The value at a path written like `banks[0].elevationsDeg.fromDeg`. */
function valueAt(document: unknown, path: string): unknown {
  const keys = path.split(/[.[\]]+/).filter((key) => key !== '');
  return keys.reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], document);
}

describe('sensors', () => {
  it.each(yamlFiles('sensors'))('%s is right, and what it recalls is there', (name) => {
    const text = textOf('sensors', name);
    const { value, problems } = parseSensor(text);
    expect(problems).toEqual([]);
    expect(`${value?.id}.yaml`).toBe(name);
    const document: unknown = parse(text);
    for (const path of value?.recalled ?? []) {
      expect(valueAt(document, path), path).toBeDefined();
    }
  });

  it('marks every value of the preset VLP-16 that the paper does not print', () => {
    const { value } = parseSensor(textOf('sensors', 'vlp-16-goodin2018.yaml'));
    const printed = ['banks[0].elevationsDeg.toDeg'];
    const measured = [
      ...['rateHz', 'rateRangeHz', 'slotsPerRevolution'].map((key) => `scan.${key}`),
      ...['fromDeg', 'toDeg', 'count'].map((key) => `banks[0].elevationsDeg.${key}`),
      ...['range.minM', 'range.maxM', 'returns.mode', 'returns.signalCutoffM', 'beam.shape'],
      ...['Horizontal', 'Vertical'].map((axis) => `beam.divergence${axis}Mrad`),
    ];
    expect([...(value?.recalled ?? []), ...printed].sort()).toEqual(measured.sort());
  });
});

describe('plants', () => {
  it.each(yamlFiles('plants'))('%s is right', (name) => {
    const { value, problems } = parsePlant(textOf('plants', name));
    expect(problems).toEqual([]);
    expect(`${value?.id}.yaml`).toBe(name);
  });
});

describe('species', () => {
  it.each(yamlFiles('species'))('%s is right', (name) => {
    const { value, problems } = parseSpecies(textOf('species', name));
    expect(problems).toEqual([]);
    expect(`${value?.id}.yaml`).toBe(name);
  });
});

describe('scenes of the validation', () => {
  const scenes = yamlFiles('validation').filter((name) => name.endsWith('.understory.yaml'));

  it.each(scenes)('%s is right, with the sensor and the plants beside it', async (name) => {
    const loaded = await documents.loadScenario(join(assetsFolder, 'validation', name));
    expect(loaded.problems).toEqual([]);
    expect(loaded.value?.compiled.sensors).toHaveLength(1);
  });
});

describe('campaigns', () => {
  it.each(yamlFiles('campaigns'))(
    '%s is right, and its first run can be simulated',
    async (name) => {
      const { value, problems } = parseCampaign(textOf('campaigns', name));
      expect(problems).toEqual([]);
      if (value === null) return;
      expect(`${value.name}.campaign.yaml`).toBe(name);
      const [first] = planRuns(value);
      if (first === undefined) throw new Error('expected a run');
      const { scenario, sensor, settings, seed } = first;
      const requested = sensor === null ? null : { sensor };
      const loaded = await documents.loadScenario(scenario, { settings, seed }, requested);
      expect(loaded.problems).toEqual([]);
    },
  );
});

describe('scenarios', () => {
  it.each(yamlFiles('scenarios'))('%s loads with everything it refers to', async (name) => {
    const { value, problems } = await documents.loadScenario(name.replace('.understory.yaml', ''));
    expect(problems).toEqual([]);
    expect(value?.compiled.sensors.length).toBeGreaterThan(0);
    expect(value?.compiled.scenarioHash).toMatch(/^[0-9a-f]{64}$/);
  });

  it('has the courtyard of the paper', async () => {
    const { value } = await documents.loadScenario('courtyard');
    if (value === null) throw new Error('expected the courtyard');
    const { recipe, scenario } = value.compiled;
    const trees = [...recipe.instances, ...recipe.scatters].filter(
      (placed) => recipe.classes[placed.class] === 'tree',
    );
    const count = trees.reduce((sum, placed) => sum + ('count' in placed ? placed.count : 1), 0);
    expect(count).toBe(50);
    const grass = recipe.scatters.find(({ name }) => name === 'grass');
    const source = recipe.models[grass?.model ?? -1]?.source;
    if (source?.kind !== 'plant' || source.plant.generator !== 'grass-patch') {
      throw new Error('expected grass patches');
    }
    const blades = source.plant.blades * (grass?.count ?? 0);
    expect(blades).toBeGreaterThan(1.95e6);
    expect(blades).toBeLessThan(2e6);
    const { startM = [0, 0], goalM = [0, 0] } = scenario.mission ?? {};
    const lengthM = Math.hypot(goalM[0] - startM[0], goalM[1] - startM[1]);
    expect(lengthM).toBeCloseTo(130, 0);
    expect(value.compiled.sensors[0]?.mount.positionM).toEqual([0, 0, 2]);
  });

  it('blocks the straight line through the courtyard, not its start and goal', async () => {
    const { value } = await documents.loadScenario('courtyard');
    const { mission, vehicle } = value?.compiled.scenario ?? {};
    if (!value || !mission || !vehicle) throw new Error('expected a mission');
    const { startM, goalM } = mission;
    const [dx, dy] = [goalM[0] - startM[0], goalM[1] - startM[1]];
    const { classes, instances } = value.compiled.recipe;
    const oaks = instances.filter((placed) => classes[placed.class] === 'tree');
    expect(oaks).toHaveLength(4);
    for (const { name, positionM } of oaks) {
      const [x, y] = [positionM[0] - startM[0], positionM[1] - startM[1]];
      const offLineM = Math.abs(x * dy - y * dx) / Math.hypot(dx, dy);
      expect(offLineM, name).toBeLessThan(vehicle.widthM / 2);
      expect(Math.hypot(x, y), name).toBeGreaterThan(8);
      expect(Math.hypot(x - dx, y - dy), name).toBeGreaterThan(8);
      expect(Math.hypot(positionM[0] + 60, positionM[1] + 60), name).toBeGreaterThan(8);
    }
  });

  it.each([hillside, root])(
    'has the terrain of $file as its function is, south first',
    async (terrain) => {
      const { file, posts, sizeM, zM, heightM } = terrain;
      const png = readFileSync(join(assetsFolder, 'scenarios', file));
      const { width, height, data } = greyValues(png);
      expect([width, height]).toEqual([posts, posts]);
      expect(data).toEqual(pictureOf(terrain));
      const { value } = await documents.loadScenario(file.replace('.png', ''));
      const heights = value?.heights ?? new Float32Array();
      expect(heights).toHaveLength(posts ** 2);
      const half = sizeM / 2;
      // One grey level is (white - black) / 65535, rounding leaves half of it.
      const withinM = 0.6 * ((zM[1] - zM[0]) / 65535);
      const corners = [
        [0, heightM(-half, -half)],
        [posts - 1, heightM(half, -half)],
        [posts ** 2 - 1, heightM(half, half)],
      ] as const;
      for (const [post, expectedM] of corners) {
        expect(Math.abs((heights[post] ?? Number.NaN) - expectedM)).toBeLessThan(withinM);
      }
    },
  );
});
