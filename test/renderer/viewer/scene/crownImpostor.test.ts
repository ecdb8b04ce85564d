// The stand-in of a plant: a crown where its leaves are, a stem down to its foot, in its materials.
import { BufferAttribute, BufferGeometry, SphereGeometry } from 'three';
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js';
import { describe, expect, it } from 'vitest';
import { crownImpostor, type PlantLevel } from '#renderer/viewer/scene/crownImpostor.ts';

const [bark, leaf] = [0, 3];

/** A ball of leaves of 2 m around (1, 0, 6), and a thin wall of bark from the ground up to its middle. */
function plant(): PlantLevel {
  const crown = new SphereGeometry(2, 24, 16).translate(1, 0, 6).deleteAttribute('uv');
  const trunk = new BufferGeometry();
  const corners = new Float32Array([0.9, 0, 0, 1.1, 0, 0, 1, 0, 6]);
  trunk.setAttribute('position', new BufferAttribute(corners, 3));
  trunk.setAttribute('normal', new BufferAttribute(new Float32Array(9), 3));
  trunk.setIndex([0, 1, 2]);
  const geometry = mergeGeometries([crown, trunk]);
  const { count } = geometry.getAttribute('position');
  const material = new Uint16Array(count).fill(leaf, 0, count - 3);
  return { geometry, material };
}

describe('the stand-in of a plant', () => {
  it('keeps within the plant, and has its crown and its foot', () => {
    const standIn = crownImpostor(plant(), (material) => material === leaf);
    const geometry = standIn?.geometry ?? new BufferGeometry();
    geometry.computeBoundingBox();
    const { min, max } = geometry.boundingBox ?? {};
    expect(min?.z).toBeCloseTo(0, 5);
    // A shell deviates more than a full ball does, so that only the box of the plant bounds its crown.
    expect(max?.z).toBeCloseTo(8, 1);
    for (const [low, high, middle] of [
      [min?.x, max?.x, 1],
      [min?.y, max?.y, 0],
    ] as const) {
      expect(low).toBeGreaterThanOrEqual(middle - 2 - 1e-6);
      expect(low).toBeLessThan(middle - 1.5);
      expect(high).toBeLessThanOrEqual(middle + 2 + 1e-6);
      expect(high).toBeGreaterThan(middle + 1.5);
    }
    expect(standIn?.triangles).toBeLessThan(1000);
    expect(new Set(geometry.getAttribute('surface').array)).toEqual(new Set([leaf, bark]));
  });

  it('is a crown alone where nothing counts as a leaf', () => {
    const standIn = crownImpostor(plant(), () => false);
    expect(new Set(standIn?.geometry.getAttribute('surface').array)).toEqual(new Set([leaf]));
  });

  it('is null for a level without triangles', () => {
    const { geometry, material } = plant();
    geometry.setIndex([]);
    expect(crownImpostor({ geometry, material }, () => true)).toBeNull();
  });
});
