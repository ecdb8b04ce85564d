// Plants as rows: names, species and sizes by id, and their order by a column.
import { expect, it } from 'vitest';
import type { SceneContents } from '#contract/host/sceneMethods.ts';
import { plantRows, plantText, sortedPlants } from '#renderer/logic/scene/plantRows.ts';

const contents = {
  classes: ['ground', 'tree'],
  models: [
    { name: 'ground:surface', triangles: 2 },
    { name: 'beech-3', triangles: 9 },
    { name: 'scanned', triangles: 5 },
  ],
  placed: [
    { id: 2, name: 'stand-2', model: 1, class: 1 },
    { id: 3, name: 'stand-10', model: 1, class: 1 },
    { id: 4, name: 'stump', model: 2, class: 1 },
  ],
  scatters: [],
  landscapes: [],
} as unknown as SceneContents;
const columns = {
  instance_id: Uint32Array.of(2, 3, 4),
  model_id: Uint16Array.of(1, 1, 2),
  dbh_m: Float64Array.of(0.3, 0.2, 0.5),
  height_m: Float64Array.of(18, 21, 0.4),
  crown_base_m: Float64Array.of(7, 8, NaN),
  crown_width_m: Float64Array.of(5, 4, NaN),
  leaf_area_m2: Float64Array.of(90, 110, NaN),
};
const rows = plantRows(contents, { plants: 3, species: ['', 'european-beech', ''] }, columns);

it('have the names of the scene, and the species of their model', () => {
  expect(rows.map(({ name }) => name)).toEqual(['stand-2', 'stand-10', 'stump']);
  expect(rows.map(({ species }) => species)).toEqual([
    'european-beech',
    'european-beech',
    'scanned',
  ]);
  expect(plantText(rows[2] ?? fail(), 'leafAreaM2')).toBe('–');
  expect(plantText(rows[0] ?? fail(), 'diameterM')).toBe('0.300');
});

it('are sorted by numbers, by names with their numbers, and unknown ones come last either way', () => {
  const order = (...by: [Parameters<typeof sortedPlants>[1], boolean]): number[] =>
    sortedPlants(rows, ...by).map(({ id }) => id);
  expect(order(null, false)).toEqual([2, 3, 4]);
  expect(order('heightM', true)).toEqual([3, 2, 4]);
  expect(order('name', false)).toEqual([2, 3, 4]);
  expect(order('leafAreaM2', false)).toEqual([2, 3, 4]);
  expect(order('leafAreaM2', true)).toEqual([3, 2, 4]);
});

function fail(): never {
  throw new Error('no such row');
}
