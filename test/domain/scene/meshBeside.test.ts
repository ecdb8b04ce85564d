// The same names as the native reader finds: meshFile.cpp.
import { expect, it } from 'vitest';
import { imageBeside, mtlImages, nameInside, plyImages } from '#domain/scene/meshBeside.ts';

it('finds the images of a material file after their options', () => {
  const text = [
    'newmtl bark',
    'map_Kd -s 2 2 -clamp on bark colour.png',
    '  map_d -o 0.5 leaf.png\r',
    'map_Kd -mm 0 1 leaf.png',
    'map_Ks gloss.png',
    'map_Kd -o 1 2 3 4.png',
  ].join('\n');
  expect(mtlImages(text)).toEqual(['bark colour.png', 'leaf.png', '4.png']);
});

it('finds the images of a PLY file in its header alone', () => {
  const text =
    'ply\ncomment TextureFile oak bark.jpg\nelement face 1\ncomment TextureFile b.png\r\nend_header\ncomment TextureFile c.png\n';
  expect(plyImages(text)).toEqual(['oak bark.jpg', 'b.png']);
});

it('names images from the folder of the mesh, and none outside of it', () => {
  expect(imageBeside('materials/oak.mtl', '..\\textures\\bark.png')).toBe('textures/bark.png');
  expect(imageBeside('', './bark.png')).toBe('bark.png');
  expect(imageBeside('oak.mtl', '../bark.png')).toBeNull();
  expect(nameInside('/etc/passwd')).toBeNull();
  expect(nameInside('.')).toBeNull();
});
