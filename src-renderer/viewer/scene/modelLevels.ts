// The levels of a scene's models as they come: each with the material of its kind of surface, plants with a stand-in
// until their finest level is there.
import { Box3 } from 'three';
import type { SceneContents } from '#contract/host/sceneMethods.ts';
import type { InstanceTable } from '#renderer/logic/scene/instanceTable.ts';
import { standInLevel, type LodModel } from '#renderer/logic/scene/lodBudget.ts';
import { crownImpostor } from './crownImpostor.ts';
import type { DrawnMesh, InstancedModels } from './instancedModels.ts';
import type { PreparedMesh } from './scenePreparer.ts';
import type {
  PaletteEntry,
  SurfaceKind,
  SurfaceMaterial,
  SurfaceMaterials,
} from './surfaceMaterial.ts';

export interface ModelLevels {
  /** Input for a choice of levels, by model; entries are replaced as levels come. */
  readonly lod: readonly LodModel[];
  add: (model: number, level: number, mesh: PreparedMesh) => void;
  /** As they have come, by level. */
  of: (model: number) => readonly (PreparedMesh | undefined)[];
  /** Null where none has come. */
  finestOf: (model: number) => PreparedMesh | null;
  /** Null where no level has come. */
  kindOf: (model: number) => SurfaceKind | null;
  /** −1: there is no ground. */
  readonly ground: number;
  dispose: () => void;
}

interface Surface {
  kind: SurfaceKind;
  material: SurfaceMaterial;
}

export const groundName = 'ground:surface';
/** From so many copies on, and not higher than this, something is ground cover. */
const minCover = 200;
const maxCoverHeightM = 1.6;
/** A model of unknown kind is a plant where more of its area than this is green. */
const minLeafShare = 0.4;

/** `copies`: instances of each model. Levels are drawn by `instanced`. */
export function createModelLevels(
  contents: SceneContents,
  table: InstanceTable,
  copies: Uint32Array,
  draw: {
    instanced: InstancedModels;
    /** Null: nothing casts shadows. */
    casters: InstancedModels | null;
    materials: SurfaceMaterials;
    palette: readonly PaletteEntry[];
  },
): ModelLevels {
  const { materials, palette } = draw;
  const meshes: (PreparedMesh | undefined)[][] = contents.models.map(() => []);
  const surfaces = new Map<number, Surface>();
  const ground = contents.models.findIndex(({ name }) => name === groundName);
  const lod: LodModel[] = contents.models.map(({ levels }, model) => ({
    triangles: levels.map(() => 0),
    isCover: knownKind(model) === 'cover',
  }));

  return {
    lod,
    ground,
    add(model, level, mesh) {
      const levels = meshes[model];
      if (levels === undefined) return;
      levels[level] = mesh;
      const surface = surfaces.get(model) ?? createSurface(model, mesh);
      addMesh(model, level, mesh, surface);
      lod[model] = model === ground ? finestOnly(levels) : lodOf(model, levels, mesh, surface);
    },
    of: (model) => meshes[model] ?? [],
    finestOf: (model) => meshes[model]?.find((mesh) => mesh !== undefined) ?? null,
    kindOf: (model) => surfaces.get(model)?.kind ?? null,
    dispose() {
      for (const levels of meshes) for (const mesh of levels) mesh?.geometry.dispose();
    },
  };

  function addMesh(model: number, level: number, mesh: DrawnMesh, { material }: Surface): void {
    draw.instanced.addMesh(model, level, mesh, material.drawn);
    draw.casters?.addMesh(model, level, mesh, material.caster);
  }

  /** Why: what everything stands on must not sink or rise with the distance. */
  function finestOnly(levels: readonly (PreparedMesh | undefined)[]): LodModel {
    const finest = levels.findIndex((mesh) => mesh !== undefined);
    const triangles = Array.from(levels, (mesh, level) =>
      level === finest ? (mesh?.triangles ?? 0) : 0,
    );
    return { triangles, isCover: false };
  }

  function lodOf(
    model: number,
    levels: readonly (PreparedMesh | undefined)[],
    mesh: PreparedMesh,
    surface: Surface,
  ): LodModel {
    const { isCover = false, standInTriangles } = lod[model] ?? {};
    const triangles = (contents.models[model]?.levels ?? []).map(
      (_, level) => levels[level]?.triangles ?? 0,
    );
    const isWaiting = surface.kind === 'plant' && levels[0] === undefined;
    // Made from the first level that comes.
    const standIn = isWaiting ? (standInTriangles ?? addStandIn(model, mesh, surface)) : null;
    return { triangles, isCover, ...(standIn !== null && { standInTriangles: standIn }) };
  }

  /** Its triangles; null where the level has no area. */
  function addStandIn(model: number, mesh: PreparedMesh, surface: Surface): number | null {
    const standIn = crownImpostor(mesh, (of) => palette[of]?.isLeaf ?? false);
    if (standIn === null) return null;
    // Without a shadow: it is a hint at where a plant will be, not its shape.
    draw.instanced.addMesh(model, standInLevel, standIn, surface.material.standIn());
    return standIn.triangles;
  }

  function createSurface(model: number, mesh: PreparedMesh): Surface {
    const kind = knownKind(model) ?? (leafShare(mesh, palette) > minLeafShare ? 'plant' : 'solid');
    mesh.geometry.computeBoundingBox();
    const box = mesh.geometry.boundingBox ?? new Box3();
    const name = contents.models[model]?.name ?? '';
    const surface = { kind, material: materials.create(name, kind, box.min, box.max) };
    surfaces.set(model, surface);
    return surface;
  }

  /** Before a level has come; null: its colours decide. */
  function knownKind(model: number): SurfaceKind | null {
    if (model === ground) return 'ground';
    const { solid } = contents.models[model] ?? { solid: 'all' };
    if (solid === 'all') return null;
    const isMany = (copies[model] ?? 0) >= minCover;
    const isLow = heightOf(model, table) <= maxCoverHeightM;
    return solid === 'none' && isMany && isLow ? 'cover' : 'plant';
  }
}

/** Height of its first instance, in the world; 0 where it has none. */
function heightOf(model: number, { modelId, boxesM }: InstanceTable): number {
  const row = modelId.indexOf(model);
  return row < 0 ? 0 : (boxesM[6 * row + 5] ?? 0) - (boxesM[6 * row + 2] ?? 0);
}

function leafShare({ areaM2 }: PreparedMesh, palette: readonly PaletteEntry[]): number {
  let leaves = 0;
  let all = 0;
  for (const [material, area] of areaM2.entries()) {
    all += area;
    if (palette[material]?.isLeaf) leaves += area;
  }
  return all > 0 ? leaves / all : 0;
}
