// Which names of classes are those of volumes: whole words, the last that is known.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createVolumeNames, isVolumeName } from '#domain/log/volumeNames.ts';
import { parsePlant, parseSpecies } from '#domain/scenario/documentText.ts';
import { assetsFolder } from '#hosts/packageFolders.ts';

describe('a name of a class', () => {
  it.each(['canopy', 'beech', 'Spruce_2', 'hazel', 'bracken', 'maize', 'treeCrown', 'LEAVES'])(
    '%s is that of a volume',
    (name) => expect(isVolumeName(name)).toBe(true),
  );

  it.each(['low vegetation', 'medium vegetation', 'high vegetation'])(
    "%s of LAS is a volume's",
    (name) => expect(isVolumeName(name)).toBe(true),
  );

  it.each(['ground', 'street', 'tree trunk', 'trunks', 'road surface', 'plant-pot', 'dead-wood'])(
    '%s is that of a surface',
    (name) => expect(isVolumeName(name)).toBe(false),
  );

  it.each(['', 'unclassified', 'streetwise', 'implant', 'class 7'])('%j is not known', (name) =>
    expect(isVolumeName(name)).toBeNull(),
  );

  it.each([
    ['species', parseSpecies],
    ['plants', parsePlant],
  ] as const)('of assets/%s is that of a volume', (folder, parse) => {
    for (const file of readdirSync(join(assetsFolder, folder))) {
      const { value } = parse(readFileSync(join(assetsFolder, folder, file), 'utf8'));
      if (value === null) throw new Error(`${file} has problems`);
      const names = [value.id, value.name].map((name) => [name, isVolumeName(name)]);
      expect(names).toEqual([value.id, value.name].map((name) => [name, true]));
    }
  });
});

it('classes that a source states are those, and no others', () => {
  const { isVolume, unknown } = createVolumeNames(['blob']);
  expect(['blob', 'tree', 'thing', ''].map(isVolume)).toEqual([true, false, false, null]);
  expect(unknown()).toEqual([]);
});

it('lists the names that were asked for and are unknown, once', () => {
  const { isVolume, unknown } = createVolumeNames(null);
  for (const name of ['thing', 'tree', 'thing', '']) isVolume(name);
  expect(unknown()).toEqual(['thing']);
});
