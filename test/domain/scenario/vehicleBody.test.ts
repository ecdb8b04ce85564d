// The body of a vehicle in a scenario: what a person may have got wrong, and where it is in the recipe.
import { expect, it } from 'vitest';
import type { Scenario } from '#contract/documents/scenario.ts';
import { compileScene } from '#domain/scene/compileScene.ts';
import { withBody } from '#domain/scene/vehicleBody.ts';
import { flatTerrain } from '#domain/truth/terrain.ts';
import { parseScenario } from '#domain/scenario/documentText.ts';
import { noReferences } from '#test/support/documents.ts';

const box = { kind: 'box', positionM: [0, 0, 1], sizeM: [2, 1, 1], material: 'grey' };
const mast = { kind: 'model', positionM: [0, 0, 1.5], model: 'post' };
const named = (name: string, part: object): object => ({ name, ...part });
const sensor = (name: string, more: object = {}): object => ({ name, sensor: 'vlp-16', ...more });

const scenario = (body: object[] | undefined, sensors: object[], classes?: object): string =>
  JSON.stringify({
    understory: 2,
    name: 'Body',
    scene: {
      materials: { grey: { reflectance: 0.5 } },
      models: {
        post: { kind: 'cylinder', radiusM: 0.1, heightM: 2, material: 'grey' },
        site: { kind: 'learned', file: 'site.ply', material: 'grey' },
      },
      instances: [{ name: 'post', model: 'post', positionM: [9, 0, 0] }],
      scatters: [
        { name: 'posts', model: 'post', count: 3, areaM: [[1, 1], [2, 1], [2, 2]] }, // prettier-ignore
      ],
      ...(classes && { classes }),
    },
    vehicle: body && { body },
    sensors,
    mission: { startM: [3, 4], startYawDeg: 90, goalM: [9, 9] },
  });
const problemsOf = (text: string): string[] =>
  parseScenario(text).problems.map(({ path, message }) =>
    `${path}: ${message}`.replace(/ \(line 1\)$/, ''),
  );

it('names materials and models of the scene, and parts once', () => {
  const classes = { vehicle: { lasCode: 70 } };
  const right = [named('hull', box), named('mast', mast)];
  expect(problemsOf(scenario(right, [sensor('a', { body: 'masked' })], classes))).toEqual([]);
  const wrong = [
    named('hull', { ...box, material: 'gray' }),
    named('hull', { ...mast, model: 'pole' }),
    named('site', { ...mast, model: 'site' }),
  ];
  expect(problemsOf(scenario(wrong, []))).toEqual([
    expect.stringContaining('vehicle.body[0].material: expected a material of the scene (grey)'),
    expect.stringContaining('vehicle.body[1].model: expected a model of the scene (post, site)'),
    "vehicle.body[2].model: expected a model of triangles, 'site' is learned",
    "vehicle.body[1].name: expected a unique name, 'hull' is used before",
  ]);
});

it('is stated where a sensor or a class refers to it', () => {
  const text = scenario(undefined, [sensor('a', { body: 'seen' })], { vehicle: {} });
  expect(problemsOf(text)).toEqual([
    'sensors[0].body: expected only with vehicle.body, found no body there',
    expect.stringContaining('scene.classes.vehicle: expected a class of the scene'),
  ]);
});

it('is in the recipe where the drive starts, once for each view, before the scatters', () => {
  const parsed = parseScenario(
    scenario(
      [named('hull', box), named('mast', mast)],
      [sensor('a'), sensor('b', { body: 'masked' })],
    ),
  ).value as Scenario;
  delete parsed.scene.models['site'];
  const { value } = compileScene(parsed.scene, noReferences, 1);
  if (value === null) throw new Error('the scene was not compiled');
  expect(
    withBody(value, { ...parsed, vehicle: { ...parsed.vehicle, body: undefined } }, flatTerrain(0)),
  ).toBe(value);
  const recipe = withBody(value, parsed, flatTerrain(5));
  expect(recipe.instances.map(({ id, name }) => [id, name])).toEqual([
    [1, 'post'],
    [2, 'vehicle:hull'],
    [3, 'vehicle:mast'],
    [4, 'vehicle:hull:masked'],
    [5, 'vehicle:mast:masked'],
  ]);
  expect(recipe.scatters[0]?.firstId).toBe(6);
  const laws = recipe.motions?.map(({ law }) => law);
  expect(laws).toMatchObject([
    { kind: 'vehicle', positionM: [3, 4, 5], view: 'seen' },
    { kind: 'vehicle', positionM: [3, 4, 5], view: 'masked' },
  ]);
  expect(recipe.instances[1]?.positionM).toEqual([3, 4, 6]);
  // Black: a hit that sends nothing back is no echo.
  const black = recipe.materials.findIndex(({ reflectance }) => reflectance === 0);
  for (const { model, motion } of recipe.instances.slice(1)) {
    const source = recipe.models[model]?.source;
    const isBlack = source !== undefined && 'material' in source && source.material === black;
    expect(isBlack).toBe(motion === 1);
  }
});
