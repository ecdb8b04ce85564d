// Remarks on meshes, by model.
import { expect, it } from 'vitest';
import { meshNotices } from '#domain/scene/meshNotices.ts';

it('one notice for each kind of odd facet, with the path of the model', () => {
  const clean = { degenerate: 0, nonPlanar: 0, selfIntersecting: 0 };
  expect(meshNotices([{ name: 'hull', ...clean }])).toEqual([]);
  expect(
    meshNotices([
      { name: 'hull', ...clean, degenerate: 1200 },
      { name: 'tin', degenerate: 1, nonPlanar: 1, selfIntersecting: 2 },
    ]),
  ).toEqual([
    { path: 'scene.models.hull', message: '1,200 triangles without area: left out' },
    { path: 'scene.models.tin', message: '1 triangle without area: left out' },
    {
      path: 'scene.models.tin',
      message: '1 face with corners off one plane: made of plane triangles',
    },
    {
      path: 'scene.models.tin',
      message: '2 faces with edges that cross: the area they cover is ambiguous',
    },
  ]);
});
