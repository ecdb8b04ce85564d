// The ground of a scene: its height at a place, and what is to be painted on it for what stands there.
import { Color, Plane, type Ray, Vector3 } from 'three';
import type { SceneContents } from '#contract/host/sceneMethods.ts';
import type { PaintedModel, PaintRequest, stillRows } from '#renderer/logic/scene/groundPaint.ts';
import { rowOf, type InstanceTable } from '#renderer/logic/scene/instanceTable.ts';
import type { ModelLevels } from './modelLevels.ts';
import { boxOfRow, heightAt, hitOf } from './scenePicking.ts';
import type { PaletteEntry } from './surfaceMaterial.ts';

export interface SceneGround {
  /** Height of the finest triangles that have come; `groundM` beside the ground and where there is none. */
  heightAt: (placeM: readonly [number, number]) => number;
  /** Where a ray meets the ground, or the level beside it; null: it goes to the sky. */
  under: (ray: Ray) => Vector3 | null;
  /** The request to paint the ground; null where there is no ground. */
  paintRequest: (sunDirection: Vector3) => PaintRequest | null;
}

const paintSize = 1024;
const minPaintedHeight = 0.3;
/** A ground whose box is no higher is level. */
const levelM = 0.01;
/** Beside the ground a place is no farther from the camera. */
const maxBesideM = 10_000;
/** A model of so few triangles is a box. */
const boxTriangles = 12;

/** The ground of a scene with its painted image, of the rows that do not move. */
export function createSceneGround(
  contents: SceneContents,
  table: InstanceTable,
  still: () => ReturnType<typeof stillRows>,
  levels: ModelLevels,
  palette: readonly PaletteEntry[],
  groundM: number,
): SceneGround {
  const groundRow = table.modelId.indexOf(levels.ground);
  return {
    heightAt: groundAt,
    under: groundUnder,
    paintRequest(sunDirection) {
      const ground = contents.placed.find(({ model }) => model === levels.ground);
      if (ground === undefined) return null;
      const { min, max } = boxOfRow(table, rowOf(table, ground.id));
      const rows = still();
      const { count, modelId, boxesM, spheresM } = rows;
      const models = contents.models.map((_, model) => paintedModel(model));
      return {
        rows: { count, modelId, boxesM, spheresM },
        models,
        area: { minM: [min.x, min.y], maxM: [max.x, max.y] },
        groundM: heightsBelow(rows, models, max.z - min.z > levelM),
        // Why higher: shadows of a low sun would have no end.
        sunDirection: [sunDirection.x, sunDirection.y, Math.max(sunDirection.z, minPaintedHeight)],
        size: paintSize,
      };
    },
  };

  function groundAt(placeM: readonly [number, number]): number {
    const mesh = levels.finestOf(levels.ground);
    if (groundRow < 0 || mesh === null) return groundM;
    return heightAt(placeM, table, groundRow, mesh) ?? groundM;
  }

  function groundUnder(ray: Ray): Vector3 | null {
    const mesh = levels.finestOf(levels.ground);
    const hit = groundRow < 0 || mesh === null ? null : hitOf(ray, table, groundRow, mesh);
    if (hit !== null) return new Vector3(...hit.positionM);
    const place = ray.intersectPlane(new Plane(new Vector3(0, 0, 1), -groundM), new Vector3());
    return place !== null && place.distanceTo(ray.origin) < maxBesideM ? place : null;
  }

  /** For each row the height of the ground below it; a level ground is looked up once. */
  function heightsBelow(
    { count, modelId, positionM }: ReturnType<typeof stillRows>,
    models: readonly PaintedModel[],
    isUneven: boolean,
  ): Float32Array {
    const heights = new Float32Array(count).fill(groundM);
    if (!isUneven) return heights;
    for (let row = 0; row < count; row += 1) {
      const { role } = models[modelId[row] ?? 0] ?? { role: 'none' };
      if (role !== 'round' && role !== 'box') continue;
      const [x, y] = [positionM[3 * row] ?? 0, positionM[3 * row + 1] ?? 0];
      heights[row] = groundAt([x, y]);
    }
    return heights;
  }

  function paintedModel(model: number): PaintedModel {
    const kind = levels.kindOf(model) ?? 'ground';
    const isBox = (levels.finestOf(model)?.triangles ?? 0) <= boxTriangles;
    const shadow = isBox ? 'box' : 'round';
    const role = kind === 'ground' ? 'none' : kind === 'cover' ? 'cover' : shadow;
    return { role, colour: meanColour(levels.finestOf(model)?.areaM2 ?? [], palette) };
  }
}

/** Linear, by the area of each material. */
function meanColour(
  areaM2: Iterable<number>,
  palette: readonly PaletteEntry[],
): [number, number, number] {
  const mean = new Color(0, 0, 0);
  const colour = new Color();
  let all = 0;
  for (const [material, area] of [...areaM2].entries()) {
    colour.setRGB(...(palette[material]?.colourRgb ?? ([0.5, 0.5, 0.5] as const)), 'srgb');
    mean.add(colour.multiplyScalar(area));
    all += area;
  }
  mean.multiplyScalar(all > 0 ? 1 / all : 0);
  return [mean.r, mean.g, mean.b];
}
