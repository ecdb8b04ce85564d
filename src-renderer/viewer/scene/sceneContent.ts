// One scene as it is drawn: its instances, the levels that have come, who is drawn with which, and what its
// ground shows. Nothing is drawn of it before each of its models has come at least once (isReady).
import { Box3, Color, type ShaderMaterial } from 'three';
import type { Ray } from 'three';
import type { SceneContents } from '#contract/host/sceneMethods.ts';
import {
  lightAt,
  type GroundPaint,
  type PaintedModel,
  type PaintRequest,
} from '#renderer/logic/scene/groundPaint.ts';
import { rowOf, type InstanceTable } from '#renderer/logic/scene/instanceTable.ts';
import {
  createLevelChooser,
  type LodChoice,
  type LodLimits,
  type LodModel,
  type LodView,
  standInLevel,
} from '#renderer/logic/scene/lodBudget.ts';
import { crownStandIn } from './crownStandIn.ts';
import { createInstancedModels, type InstancedModels } from './instancedModels.ts';
import type { PreparedMesh } from './scenePreparer.ts';
import { boxOfRow, heightAt, pickScene, type SceneHit } from './scenePicking.ts';
import { sunDirection } from './sceneLight.ts';
import type { PaletteEntry, SurfaceKind, SurfaceMaterials } from './surfaceMaterial.ts';

export interface SceneContent {
  readonly contents: SceneContents;
  readonly table: InstanceTable;
  readonly instanced: InstancedModels;
  /** Of everything. */
  readonly boxM: Box3;
  /** Of everything but the ground; of the ground where there is nothing else. */
  readonly contentM: Box3;
  /** Of objects on the ground; empty without any. */
  readonly standingM: Box3;
  readonly groundM: number;
  isReady(): boolean;
  hasMesh(model: number, level: number): boolean;
  /** Levels of the model that is called and measures the same, as they have come. */
  levelsLike(key: string): readonly (PreparedMesh | undefined)[];
  addMesh(model: number, level: number, mesh: PreparedMesh): void;
  /** Gives materials this scene's colours. Call when the scene comes on screen. */
  enter(): void;
  /** The model is the ground: cover and shadows are painted on it. */
  isGround(model: number): boolean;
  /** What the ground is to be painted with; null where there is no ground. */
  paintRequest(): PaintRequest | null;
  /** Null: bare. */
  setPaint(paint: GroundPaint | null): void;
  choose(view: LodView, limits: LodLimits): Generator<void, LodChoice>;
  apply(choice: LodChoice): void;
  pick(ray: Ray): SceneHit | null;
  /** Height of the ground at a place. */
  groundAt(placeM: readonly [number, number]): number;
  /** 0: not marked. */
  mark(instanceId: number, strength: number): void;
  rowOf(instanceId: number): number;
  dispose(): void;
}

interface Surface {
  kind: SurfaceKind;
  material: ShaderMaterial;
}

const paintSize = 1024;
/** From so many copies on, and not higher than this, something is ground cover. */
const minCover = 200;
const maxCoverHeightM = 1.6;
/** A ground whose box is no higher is level. */
const levelM = 0.01;
const groundModel = 'ground:surface';

/** What is the same as in the scene `before` it takes over from there. */
export function createSceneContent(
  contents: SceneContents,
  table: InstanceTable,
  materials: SurfaceMaterials,
  before: SceneContent | null = null,
): SceneContent {
  const looks = new Float32Array(3 * table.count);
  const copies = countCopies(table, contents.models.length);
  for (let row = 0; row < table.count; row += 1) writeLook(row, 1);
  const instanced = createInstancedModels(table, looks);
  const chooser = createLevelChooser(table);
  const palette: PaletteEntry[] = contents.materials.map(({ colourRgb }) => ({
    colourRgb,
    isLeaf: isGreen(colourRgb),
  }));
  const meshes: (PreparedMesh | undefined)[][] = contents.models.map(() => []);
  const surfaces = new Map<number, Surface>();
  const lod: LodModel[] = contents.models.map(({ levels }, model) => ({
    triangles: levels.map(() => 0),
    isCover: kindBeforeMesh(model) === 'cover',
  }));
  const { boxM, contentM, standingM, groundM } = boundsOf(contents, table);
  let drawnLevels: Int8Array | null = null;
  for (const [model] of contents.models.entries()) {
    for (const [level, mesh] of (before?.levelsLike(keyOf(contents, model)) ?? []).entries()) {
      if (mesh !== undefined) addMesh(model, level, mesh);
    }
  }

  return {
    contents,
    table,
    instanced,
    boxM,
    contentM,
    standingM,
    groundM,
    isReady: () => copies.every((count, model) => count === 0 || finestOf(model) !== null),
    hasMesh: (model, level) => meshes[model]?.[level] !== undefined,
    levelsLike(key) {
      const like = contents.models.findIndex((_, model) => keyOf(contents, model) === key);
      return meshes[like] ?? [];
    },
    addMesh,
    enter() {
      materials.setPalette(palette);
    },
    isGround: (model) => model === modelOfGround(),
    paintRequest,
    setPaint,
    choose: (view, limits) => chooser.choose(view, lod, limits),
    apply(choice) {
      drawnLevels = choice.levels;
      instanced.apply(choice.levels);
    },
    pick: (ray) => pickScene(ray, table, (row) => (drawnLevels?.[row] ?? -1) >= 0, finestOf),
    groundAt,
    mark(instanceId, strength) {
      const row = rowOf(table, instanceId);
      if (row < 0) return;
      looks[3 * row + 2] = strength;
      instanced.rewrite(row);
    },
    rowOf: (instanceId) => rowOf(table, instanceId),
    dispose() {
      instanced.dispose();
      for (const levels of meshes) for (const mesh of levels) mesh?.geometry.dispose();
    },
  };

  function addMesh(model: number, level: number, mesh: PreparedMesh): void {
    const levels = meshes[model];
    if (levels === undefined) return;
    levels[level] = mesh;
    const surface = surfaces.get(model) ?? createSurface(model, mesh);
    instanced.addMesh(model, level, mesh, surface.material);
    const triangles = [...(lod[model]?.triangles ?? [])];
    triangles[level] = mesh.triangles;
    lod[model] = {
      triangles,
      isCover: lod[model]?.isCover ?? false,
      ...(surface.kind === 'plant' && levels[0] === undefined && standInFor(model, mesh, surface)),
    };
    if (model === modelOfGround()) keepFinestOnly(model);
  }

  /** Made from the first level that comes. */
  function standInFor(
    model: number,
    mesh: PreparedMesh,
    { material }: Surface,
  ): Pick<LodModel, 'standInTriangles'> {
    const before = lod[model]?.standInTriangles;
    if (before !== undefined) return { standInTriangles: before };
    const standIn = crownStandIn(mesh, (of) => palette[of]?.isLeaf ?? false);
    if (standIn === null) return {};
    instanced.addMesh(model, standInLevel, standIn, material);
    return { standInTriangles: standIn.triangles };
  }

  function finestOf(model: number): PreparedMesh | null {
    return meshes[model]?.find((mesh) => mesh !== undefined) ?? null;
  }

  function modelOfGround(): number {
    return contents.models.findIndex(({ name }) => name === groundModel);
  }

  /** Why: the ground must not sink or rise with the distance. */
  function keepFinestOnly(model: number): void {
    const triangles = lod[model]?.triangles ?? [];
    const finest = triangles.findIndex((count) => count > 0);
    lod[model] = {
      triangles: triangles.map((count, level) => (level === finest ? count : 0)),
      isCover: false,
    };
  }

  function kindBeforeMesh(model: number): SurfaceKind | null {
    const { name, solid } = contents.models[model] ?? { name: '', solid: 'all' };
    if (name === groundModel) return 'ground';
    const row = table.modelId.indexOf(model);
    const heightM =
      row < 0 ? 0 : (table.boxesM[6 * row + 5] ?? 0) - (table.boxesM[6 * row + 2] ?? 0);
    const isMany = (copies[model] ?? 0) >= minCover;
    if (solid === 'none' && isMany && heightM <= maxCoverHeightM) return 'cover';
    return solid === 'all' ? null : 'plant';
  }

  function createSurface(model: number, mesh: PreparedMesh): Surface {
    const kind = kindBeforeMesh(model) ?? (leafShare(mesh) > 0.4 ? 'plant' : 'solid');
    mesh.geometry.computeBoundingBox();
    const box = mesh.geometry.boundingBox ?? new Box3();
    const material = materials.create(kind, box.min, box.max);
    const surface = { kind, material };
    surfaces.set(model, surface);
    return surface;
  }

  function leafShare({ areaM2 }: PreparedMesh): number {
    let leaves = 0;
    let all = 0;
    for (const [material, area] of areaM2.entries()) {
      all += area;
      if (palette[material]?.isLeaf) leaves += area;
    }
    return all > 0 ? leaves / all : 0;
  }

  function paintRequest(): PaintRequest | null {
    const ground = contents.placed.find(({ model }) => model === modelOfGround());
    if (ground === undefined) return null;
    const { min, max } = boxOfRow(table, rowOf(table, ground.id));
    const { count, modelId, boxesM, spheresM } = table;
    const models = contents.models.map((_, model) => paintedModel(model));
    return {
      rows: { count, modelId, boxesM, spheresM },
      models,
      area: { minM: [min.x, min.y], maxM: [max.x, max.y] },
      groundM: groundBelow(models, max.z - min.z > levelM),
      sunDirection: sunDirection.toArray(),
      size: paintSize,
    };
  }

  /** Of each row the height of the ground below it; a level ground is looked up once. */
  function groundBelow(models: readonly PaintedModel[], isUneven: boolean): Float32Array {
    const heights = new Float32Array(table.count).fill(groundM);
    if (!isUneven) return heights;
    for (let row = 0; row < table.count; row += 1) {
      const { role } = models[table.modelId[row] ?? 0] ?? { role: 'none' };
      if (role !== 'round' && role !== 'box') continue;
      const [x, y] = [table.positionM[3 * row] ?? 0, table.positionM[3 * row + 1] ?? 0];
      heights[row] = groundAt([x, y]);
    }
    return heights;
  }

  function groundAt(placeM: readonly [number, number]): number {
    const model = modelOfGround();
    const row = table.modelId.indexOf(model);
    const mesh = finestOf(model);
    return (row < 0 || mesh === null ? null : heightAt(placeM, table, row, mesh)) ?? groundM;
  }

  function setPaint(paint: GroundPaint | null): void {
    materials.setPaint(paint);
    for (let row = 0; row < table.count; row += 1) {
      const isLit = paint === null || !(lod[table.modelId[row] ?? 0]?.isCover ?? false);
      const [x, y] = [table.spheresM[4 * row] ?? 0, table.spheresM[4 * row + 1] ?? 0];
      writeLook(row, isLit ? 1 : lightAt(paint, x, y));
    }
    instanced.rewriteLooks();
  }

  function paintedModel(model: number): PaintedModel {
    const kind = surfaces.get(model)?.kind ?? 'ground';
    const isBox = (finestOf(model)?.triangles ?? 0) <= 12;
    const shadow = isBox ? 'box' : 'round';
    const role = kind === 'ground' ? 'none' : kind === 'cover' ? 'cover' : shadow;
    return { role, colour: meanColour(model) };
  }

  /** Linear, by area. */
  function meanColour(model: number): [number, number, number] {
    const mean = new Color(0, 0, 0);
    const colour = new Color();
    let all = 0;
    for (const [material, area] of (finestOf(model)?.areaM2 ?? []).entries()) {
      colour.setRGB(...(palette[material]?.colourRgb ?? ([0.5, 0.5, 0.5] as const)), 'srgb');
      mean.add(colour.multiplyScalar(area));
      all += area;
    }
    mean.multiplyScalar(all > 0 ? 1 / all : 0);
    return [mean.r, mean.g, mean.b];
  }

  /** Copies differ a little in brightness and hue; walls and ground do not. */
  function writeLook(row: number, light: number): void {
    const id = table.instanceId[row] ?? 0;
    const isAlone = (copies[table.modelId[row] ?? 0] ?? 0) < 2;
    const first = Math.abs(Math.sin(id * 12.9898) * 43758.5453) % 1;
    const second = Math.abs(Math.sin(id * 78.233) * 12543.1237) % 1;
    looks[3 * row] = light * (isAlone ? 1 : 0.86 + 0.28 * first);
    looks[3 * row + 1] = isAlone ? 0 : 2 * second - 1;
  }
}

/** Leaves and grass, by their colour: the format does not say. */
function isGreen([red, green, blue]: readonly [number, number, number]): boolean {
  return green > 1.05 * red && green > 1.15 * blue;
}

/** Of models with one key the triangles are the same, and their materials mean the same. */
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
    name === groundModel ? 'ground' : name.startsWith('wall:') ? 'wall' : 'object',
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
