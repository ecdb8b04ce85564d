// Scans that are shown together: their names, and which of them the view shows.
import { beforeEach, describe, expect, it } from 'vitest';
import type { SceneRelation } from '#renderer/logic/scans/scannedScene.ts';
import {
  createSavedScans,
  type SavedScan,
  type SavedScans,
} from '#renderer/stores/sensor/savedScans.ts';

let relations: Map<string, SceneRelation>;
let scans: SavedScans;

beforeEach(() => {
  relations = new Map();
  scans = createSavedScans(({ sensorName }) => relations.get(sensorName) ?? 'current');
});

/** `sensorName` distinguishes the scans of a test. */
function add(sensorName: string): number {
  scans.add({ name: 'vlp-16, all', sensorName } as Omit<SavedScan, 'id' | 'colour' | 'isVisible'>);
  return scans.saved.at(-1)?.id ?? 0;
}

const namesOf = (list: readonly SavedScan[]): string[] => list.map(({ sensorName }) => sensorName);

describe('saved scans', () => {
  it('have numbers that are not given again, and colours of their own', () => {
    add('a');
    scans.remove(add('b'));
    add('c');
    expect(scans.saved.map(({ name }) => name)).toEqual(['1 · vlp-16, all', '3 · vlp-16, all']);
    expect(scans.saved[0]?.colour).not.toEqual(scans.saved[1]?.colour);
  });

  it('keep their names where the new one is empty', () => {
    const id = add('a');
    scans.rename(id, '  ');
    expect(scans.saved[0]?.name).toBe('1 · vlp-16, all');
    scans.rename(id, ' wet grass ');
    expect(scans.saved[0]?.name).toBe('wet grass');
  });

  it('are drawn where they are visible and of the scene as it is', () => {
    for (const name of ['now', 'hidden', 'before', 'elsewhere']) add(name);
    relations.set('before', 'edited').set('elsewhere', 'other');
    scans.setVisible(2, false);
    expect(namesOf(scans.visible.value)).toEqual(['now', 'before', 'elsewhere']);
    expect(namesOf(scans.drawn.value)).toEqual(['now']);
    scans.isOlderShown.value = true;
    expect(namesOf(scans.drawn.value)).toEqual(['now', 'before']);
    scans.clear();
    expect(scans.drawn.value).toEqual([]);
  });
});
