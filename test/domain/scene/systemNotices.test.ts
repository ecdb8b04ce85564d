// Learned models of another coordinate reference system than the scene.
import { expect, it } from 'vitest';
import { systemNotices } from '#domain/scene/systemNotices.ts';

const models = [
  { name: 'site', learnedCrs: 'EPSG:25833' },
  { name: 'near', learnedCrs: 'EPSG:25832' },
  { name: 'tree', learnedCrs: null },
];

it('are noticed by name, and only where both state a system', () => {
  expect(systemNotices(models, 'EPSG:25832')).toEqual([
    {
      path: 'scene.models.site',
      message: 'learned in EPSG:25833; the scene is in EPSG:25832, and nothing is projected',
    },
  ]);
  expect(systemNotices(models, undefined)).toEqual([]);
});
