// One scene as it is drawn: its instances, the levels that have come, who is drawn with which, and what its
// ground shows. Nothing is drawn of it before each of its models has come at least once (isReady).
import { Box3, type Ray, type Vector3 } from 'three';
import type { SceneContents } from '#contract/host/sceneMethods.ts';
import {
  lightAt,
  stillRows,
  type GroundPaint,
  type PaintRequest,
} from '#renderer/logic/scene/groundPaint.ts';
import type { PointM } from '#renderer/logic/scene/measuring.ts';
import { createMovingRows } from '#renderer/logic/scene/movingRows.ts';
import { rowMask, type InstanceMasks } from '#renderer/logic/scene/instanceMasks.ts';
import { rowOf, type InstanceTable } from '#renderer/logic/scene/instanceTable.ts';
import {
  createLevelChooser,
  type LodChoice,
  type LodLimits,
  type LodView,
} from '#renderer/logic/scene/lodBudget.ts';
import { createInstancedModels, type InstancedModels } from './instancedModels.ts';
import { createInstanceLooks } from './instanceLooks.ts';
import { createModelLevels, groundName } from './modelLevels.ts';
import { createSceneGround } from './sceneGround.ts';
import { lowestCorner, pickScene, type SceneHit } from './scenePicking.ts';
import type { PreparedMesh } from './scenePreparer.ts';
import type { PaletteEntry, SurfaceMaterials } from './surfaceMaterial.ts';

export interface SceneContent {
  readonly contents: SceneContents;
  readonly table: InstanceTable;
  readonly instanced: InstancedModels;
  /** The same for the sun's view; null: nothing casts shadows. */
  readonly casters: InstancedModels | null;
  /** Box of everything. */
  readonly boxM: Box3;
  /** Box of everything but the ground; of the ground where there is nothing else. */
  readonly contentM: Box3;
  /** Box of the objects on the ground; empty where there are none. */
  readonly standingM: Box3;
  readonly groundM: number;
  isReady(): boolean;
  hasMesh(model: number, level: number): boolean;
  /** Levels of the model that is called and measures the same, as they have come. */
  levelsLike(key: string): readonly (PreparedMesh | undefined)[];
  addMesh(model: number, level: number, mesh: PreparedMesh): void;
  /** Gives materials this scene's colours. Call when the scene comes on screen. */
  enter(): void;
  /** The model is the ground: what stands on it is painted on it. */
  isGround(model: number): boolean;
  /** The request to paint the ground; null where there is no ground. */
  paintRequest(sunDirection: Vector3): PaintRequest | null;
  /** Null: bare. */
  setPaint(paint: GroundPaint | null): void;
  choose(view: LodView, limits: LodLimits): Generator<void, LodChoice>;
  apply(choice: LodChoice): void;
  /** Levels for the sun's view. */
  chooseCasters(view: LodView, limits: LodLimits): Generator<void, LodChoice>;
  pick(ray: Ray): SceneHit | null;
  /** Height of the ground at a place. */
  groundAt(placeM: readonly [number, number]): number;
  /** Where a ray meets the ground, or the level beside it; null: it goes to the sky. */
  groundUnder(ray: Ray): Vector3 | null;
  /** Puts what moves where it is at a time. False where nothing moves. */
  setTime(timeS: number): boolean;
  /** Instances that are not drawn, and those that are met by no ray. Ids of no instance count for nothing. */
  setMasks(masks: InstanceMasks): void;
  /** 0: not marked. */
  mark(instanceId: number, strength: number): void;
  rowOf(instanceId: number): number;
  /** The lowest corner of a row's finest triangles; null: none have come. */
  lowestOf(row: number): PointM | null;
  /** The pose of a row changed. */
  rewrite(row: number): void;
  dispose(): void;
}

/** Parts that are the same as in the scene `before` are moved over from there. `castsShadows`: what is needed for it is made. */
export function createSceneContent(
  contents: SceneContents,
  table: InstanceTable,
  materials: SurfaceMaterials,
  before: SceneContent | null,
  castsShadows: boolean,
): SceneContent {
  const copies = countCopies(table, contents.models.length);
  const looks = createInstanceLooks(table, copies);
  const instanced = createInstancedModels(table, looks.values);
  const casters = castsShadows ? createInstancedModels(table, looks.values) : null;
  const chooser = createLevelChooser(table);
  const casterChooser = castsShadows ? createLevelChooser(table) : chooser;
  const palette = paletteOf(contents);
  const levels = createModelLevels(contents, table, copies, {
    instanced,
    casters,
    materials,
    palette,
  });
  const bounds = boundsOf(contents, table);
  const moving = createMovingRows(contents, table);
  const isMoving = new Set(moving.rows);
  const masked = { hidden: new Uint8Array(table.count), locked: new Uint8Array(table.count) };
  const still = (): ReturnType<typeof stillRows> =>
    stillRows(table, (row) => isMoving.has(row) || masked.hidden[row] === 1);
  const ground = createSceneGround(contents, table, still, levels, palette, bounds.groundM);
  let drawnLevels: Int8Array | null = null;
  for (const [model] of contents.models.entries()) {
    for (const [level, mesh] of (before?.levelsLike(keyOf(contents, model)) ?? []).entries()) {
      if (mesh !== undefined) levels.add(model, level, mesh);
    }
  }

  return {
    contents,
    table,
    instanced,
    casters,
    ...bounds,
    isReady: () => copies.every((count, model) => count === 0 || levels.finestOf(model) !== null),
    hasMesh: (model, level) => levels.of(model)[level] !== undefined,
    levelsLike: (key) =>
      levels.of(contents.models.findIndex((_, model) => keyOf(contents, model) === key)),
    addMesh: levels.add,
    enter() {
      materials.setPalette(palette);
    },
    isGround: (model) => model === levels.ground,
    paintRequest: ground.paintRequest,
    setPaint(paint) {
      materials.setPaint(paint);
      for (let row = 0; row < table.count; row += 1) {
        const isCover = levels.lod[table.modelId[row] ?? 0]?.isCover ?? false;
        const [x, y] = [table.spheresM[4 * row] ?? 0, table.spheresM[4 * row + 1] ?? 0];
        looks.setLight(row, paint !== null && isCover ? lightAt(paint, x, y) : 1);
      }
      instanced.rewriteLooks();
    },
    chooseCasters: (view, limits) => casterChooser.choose(view, levels.lod, limits),
    choose: (view, limits) => chooser.choose(view, levels.lod, limits),
    apply(choice) {
      drawnLevels = choice.levels;
      instanced.apply(choice.levels);
    },
    pick: (ray) => pickScene(ray, table, isMet, levels.finestOf),
    groundAt: ground.heightAt,
    groundUnder: ground.under,
    setTime(timeS) {
      moving.setTime(timeS);
      for (const row of moving.rows) rewrite(row);
      return moving.rows.length > 0;
    },
    setMasks(masks) {
      masked.hidden = rowMask(table, masks.hidden);
      masked.locked = rowMask(table, masks.locked);
      for (const models of [instanced, casters]) models?.setHidden(masked.hidden);
    },
    mark(instanceId, strength) {
      const row = rowOf(table, instanceId);
      if (row < 0) return;
      looks.setMark(row, strength);
      instanced.rewrite(row);
    },
    rowOf: (instanceId) => rowOf(table, instanceId),
    lowestOf(row) {
      const mesh = levels.finestOf(table.modelId[row] ?? 0);
      return mesh === null ? null : lowestCorner(table, row, mesh);
    },
    rewrite,
    dispose() {
      // Why: another view may be made of the same table.
      moving.setTime(0);
      instanced.dispose();
      casters?.dispose();
      levels.dispose();
    },
  };

  function isMet(row: number): boolean {
    if (masked.hidden[row] === 1 || masked.locked[row] === 1) return false;
    return (drawnLevels?.[row] ?? -1) >= 0;
  }

  function rewrite(row: number): void {
    instanced.rewrite(row);
    casters?.rewrite(row);
  }
}

function paletteOf({ materials }: SceneContents): PaletteEntry[] {
  return materials.map(({ colourRgb }) => ({ colourRgb, isLeaf: isGreen(colourRgb) }));
}

/** Leaves and grass, by their colour: the format does not say. */
function isGreen([red, green, blue]: readonly [number, number, number]): boolean {
  return green > 1.05 * red && green > 1.15 * blue;
}

/** Models with one key have the same triangles, and their materials mean the same. */
function keyOf({ models, materials, summary }: SceneContents, model: number): string {
  const { name, triangles, levels } = models[model] ?? {};
  const { minM, maxM, memoryBytes } = summary.models[model] ?? {};
  const names = materials.map((material) => material.name);
  return JSON.stringify([name, triangles, levels, minM, maxM, memoryBytes, names]);
}

function countCopies({ modelId }: InstanceTable, models: number): Uint32Array {
  const copies = new Uint32Array(models);
  for (const model of modelId) copies[model] = (copies[model] ?? 0) + 1;
  return copies;
}

function boundsOf(
  { models }: SceneContents,
  table: InstanceTable,
): Pick<SceneContent, 'boxM' | 'contentM' | 'standingM' | 'groundM'> {
  const boxM = new Box3();
  const contentM = new Box3();
  const standingM = new Box3();
  let groundM: number | null = null;
  const kinds = models.map(({ name }) =>
    name === groundName ? 'ground' : name.startsWith('wall:') ? 'wall' : 'object',
  );
  const box = new Box3();
  for (let row = 0; row < table.count; row += 1) {
    const kind = kinds[table.modelId[row] ?? 0];
    box.min.fromArray(table.boxesM, 6 * row);
    box.max.fromArray(table.boxesM, 6 * row + 3);
    boxM.union(box);
    if (kind === 'ground') groundM = box.min.z;
    else contentM.union(box);
    if (kind === 'object') standingM.union(box);
  }
  return {
    boxM,
    contentM: contentM.isEmpty() ? boxM : contentM,
    standingM,
    groundM: groundM ?? (boxM.isEmpty() ? 0 : boxM.min.z),
  };
}
