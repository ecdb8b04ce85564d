// Formats by the endings of files, and the way from those that are not read.
import { expect, it } from 'vitest';
import { conversionAdvice, importFormatOf } from '#domain/import/formats.ts';

it.each([
  ['a.GLB', 'gltf', null],
  ['a.tiff', 'geotiff', null],
  ['robot.dae', null, 'assimp export x.dae x.glb'],
  ['robot.urdf', null, 'import the meshes that it names'],
  ['empty.world', null, 'import the meshes that it names'],
  ['a.fbx', null, 'Blender exports glTF'],
  ['a.obj', null, 'kind: mesh'],
  ['a.txt', null, null],
])('%s', (file, format, advice) => {
  expect(importFormatOf(file)).toBe(format);
  if (advice === null) expect(conversionAdvice(file)).toBeNull();
  else expect(conversionAdvice(file)).toContain(advice);
});
