// Elements and points of learned models at the places of their instances.
import { Group, Matrix4, Mesh, Points } from 'three';
import type { ModelTables } from '#renderer/logic/learn/modelTables.ts';
import type { InstanceTable } from '#renderer/logic/scene/instanceTable.ts';
import type { ViewClip } from '../engine/clip/clipUniforms.ts';
import { createEllipsoids } from './ellipsoids.ts';
import { createLearnedPoints } from './learnedSurface.ts';
import { createLookUniforms } from './learnedLook.ts';

export interface LearnedInstances {
  /** A model at all its places: rows of the table with this model. */
  add: (tables: ModelTables, instances: InstanceTable, model: number) => void;
  /** Follows instances that have moved. */
  place: (instances: InstanceTable) => void;
  dispose: () => void;
}

/** More of one model would be drawn slowly. */
const maxInstances = 16;

/** Added to the group, and removed from it by dispose(). */
export function createLearnedInstances(into: Group, clip: ViewClip): LearnedInstances {
  const all = new Group();
  const look = createLookUniforms(clip);
  const parts: { dispose: () => void }[] = [look];
  const places: { row: number; at: Group }[] = [];
  look.set({
    by: 'permeability',
    scale: 'viridis',
    range: [0, 1],
    maxPermeability: 1,
    minSupport: 0,
    sigmas: 2,
  });
  into.add(all);
  return {
    add(tables, instances, model) {
      const { count, modelId } = instances;
      const ellipsoids = createEllipsoids(look);
      const points = createLearnedPoints(look);
      ellipsoids.show(tables.elements);
      points.show(tables.points);
      parts.push(ellipsoids, points);
      let placed = 0;
      for (let row = 0; row < count && placed < maxInstances; row += 1) {
        if (modelId[row] !== model) continue;
        placed += 1;
        const at = new Group();
        at.add(
          placedOf(new Mesh(ellipsoids.object.geometry, ellipsoids.object.material)),
          placedOf(new Points(points.object.geometry, points.object.material)),
        );
        all.add(at);
        places.push({ row, at });
      }
      place(instances);
    },
    place,
    dispose() {
      into.remove(all);
      for (const part of parts) part.dispose();
    },
  };

  function place({ matrices }: InstanceTable): void {
    for (const { row, at } of places) {
      new Matrix4().fromArray(matrices, 16 * row).decompose(at.position, at.quaternion, at.scale);
    }
  }
}

function placedOf<T extends Mesh | Points>(object: T): T {
  object.frustumCulled = false;
  object.visible = object.geometry.getAttribute('position') !== undefined;
  return object;
}
