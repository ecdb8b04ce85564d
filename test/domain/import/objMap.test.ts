// Copies of OBJ files under linear maps: names and coordinates as they were written.
import { expect, it } from 'vitest';
import { objUnderMap } from '#domain/import/geometry/objMap.ts';
import { identity3, scale3 } from '#domain/import/geometry/placement.ts';

const mapped = (text: string, map = identity3): string =>
  new TextDecoder().decode(objUnderMap(new TextEncoder().encode(text), map));

it('maps vertices, turns the corners of a mirrored mesh, and drops the rest', () => {
  const text = 'mtllib a.mtl\r\nv 1 2 3\r\nvn 0 0 1\r\nf 1/1/1 2//1 3';
  expect(mapped(text, scale3(2, 1, -1))).toBe('v 2 2 -3\nf 3 2 1\n');
});

it('keeps names in UTF-8, across the pieces in which it reads', () => {
  const name = 'usemtl Größe–葉';
  // Pieces end after 4 MiB: here within a letter of two bytes, and of three.
  for (const [letters, before] of [
    ['öööö', 11],
    ['葉葉葉葉', 12],
  ] as const) {
    const text = `${'#'.repeat(2 ** 22 - before)}\nusemtl ${letters}\n`;
    expect(mapped(text)).toBe(`usemtl ${letters}\n`);
  }
  expect(mapped(`${name}\nf 1 2 3\n`)).toBe(`${name}\nf 1 2 3\n`);
});
