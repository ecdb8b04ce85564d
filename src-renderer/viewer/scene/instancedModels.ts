// The models of a scene on the graphics card: one instanced mesh for each model and level of detail. Which
// instance is drawn where follows from a choice of levels; only what changed since the last choice is
// written and uploaded.
import {
  BufferGeometry,
  DynamicDrawUsage,
  Group,
  InstancedBufferAttribute,
  InstancedMesh,
  type ShaderMaterial,
  Sphere,
} from 'three';
import type { InstanceTable } from '#renderer/logic/scene/instanceTable.ts';
import { standInLevel } from '#renderer/logic/scene/lodBudget.ts';

/** Brightness, warmth and mark of each row, 3 a row. */
export type Looks = Float32Array;

/** Attributes position, normal and surface, and an index. */
export interface DrawnMesh {
  readonly geometry: BufferGeometry;
}

export interface InstancedModels {
  readonly object: Group;
  /** `level`: below 16. */
  addMesh(model: number, level: number, mesh: DrawnMesh, material: ShaderMaterial): void;
  /** `levels` by row, -1 for not drawn. */
  apply(levels: Int8Array): void;
  /** Triangles of the instances that are drawn, without stand-ins. */
  triangles(): number;
  /** By row, 1: not drawn whatever its level; from the next `apply` on. */
  setHidden(hidden: Uint8Array): void;
  /** Pose or look of a row changed. */
  rewrite(row: number): void;
  /** Looks of all rows changed. */
  rewriteLooks(): void;
  dispose(): void;
}

const levelsPerModel = 16;

interface Bucket {
  mesh: InstancedMesh;
  look: InstancedBufferAttribute;
  capacity: number;
  count: number;
  /** Row in each slot. */
  rows: Int32Array;
}

/** Draws the instances of each model; levels are set later. */
export function createInstancedModels(table: InstanceTable, looks: Looks): InstancedModels {
  const object = new Group();
  const sources = new Map<number, { mesh: DrawnMesh; material: ShaderMaterial }>();
  const buckets = new Map<number, Bucket>();
  const slotOf = new Int32Array(table.count).fill(-1);
  const levelOf = new Int8Array(table.count).fill(-1);
  let hiddenRows = new Uint8Array(0);
  const levelIn = (levels: Int8Array, row: number): number =>
    hiddenRows[row] === 1 ? -1 : (levels[row] ?? -1);
  const wanted = new Uint32Array(levelsPerModel * modelCount(table));

  return {
    object,
    addMesh(model, level, mesh, material) {
      sources.set(model * levelsPerModel + level, { mesh, material });
    },
    apply(levels) {
      wanted.fill(0);
      for (let row = 0; row < table.count; row += 1) {
        const level = levelIn(levels, row);
        if (level < 0) continue;
        const key = (table.modelId[row] ?? 0) * levelsPerModel + level;
        wanted[key] = (wanted[key] ?? 0) + 1;
      }
      for (const [key, count] of wanted.entries()) reserve(key, count);
      fill(levels);
    },
    triangles: () => trianglesOf(buckets),
    setHidden: (hidden) => void (hiddenRows = hidden.slice()),
    rewrite(row) {
      const bucket = bucketOfRow(row);
      const slot = slotOf[row] ?? -1;
      if (bucket === undefined || slot < 0) return;
      write(bucket, slot, row);
      upload(bucket, slot, slot + 1);
    },
    rewriteLooks() {
      for (const bucket of buckets.values()) {
        for (let slot = 0; slot < bucket.count; slot += 1) {
          write(bucket, slot, bucket.rows[slot] ?? 0);
        }
        upload(bucket, 0, bucket.count);
      }
    },
    dispose() {
      for (const { mesh } of buckets.values()) {
        mesh.geometry.dispose();
        mesh.dispose();
      }
      for (const { mesh, material } of sources.values()) {
        mesh.geometry.dispose();
        material.dispose();
      }
    },
  };

  function bucketOfRow(row: number): Bucket | undefined {
    const level = levelOf[row] ?? -1;
    return level < 0 ? undefined : buckets.get((table.modelId[row] ?? 0) * levelsPerModel + level);
  }

  /** Makes room for so many instances; what was written is written again into a new, larger mesh. */
  function reserve(key: number, count: number): void {
    const before = buckets.get(key);
    const source = sources.get(key);
    if (source === undefined || count === 0 || (before && before.capacity >= count)) return;
    const capacity = 2 ** Math.ceil(Math.log2(count));
    if (before !== undefined) discard(before);
    const bucket = createBucket(source, capacity);
    object.add(bucket.mesh);
    buckets.set(key, bucket);
  }

  function discard({ mesh }: Bucket): void {
    object.remove(mesh);
    mesh.geometry.dispose();
    mesh.dispose();
  }

  function fill(levels: Int8Array): void {
    const next = new Map<Bucket, { count: number; from: number; to: number }>();
    for (const bucket of buckets.values()) {
      next.set(bucket, { count: 0, from: bucket.capacity, to: 0 });
    }
    for (let row = 0; row < table.count; row += 1) {
      const level = levelIn(levels, row);
      levelOf[row] = level;
      slotOf[row] = -1;
      if (level < 0) continue;
      const bucket = buckets.get((table.modelId[row] ?? 0) * levelsPerModel + level);
      const state = bucket && next.get(bucket);
      if (bucket === undefined || state === undefined) continue;
      const slot = state.count;
      state.count += 1;
      slotOf[row] = slot;
      if (bucket.rows[slot] === row) continue;
      bucket.rows[slot] = row;
      write(bucket, slot, row);
      state.from = Math.min(state.from, slot);
      state.to = slot + 1;
    }
    for (const [bucket, { count, from, to }] of next) {
      bucket.count = count;
      bucket.mesh.count = count;
      bucket.mesh.visible = count > 0;
      if (to > from) upload(bucket, from, to);
    }
  }

  function write({ mesh, look }: Bucket, slot: number, row: number): void {
    const into = mesh.instanceMatrix.array;
    const { matrices } = table;
    for (let k = 0; k < 16; k += 1) into[16 * slot + k] = matrices[16 * row + k] ?? 0;
    for (let k = 0; k < 3; k += 1) look.array[3 * slot + k] = looks[3 * row + k] ?? 0;
  }

  function upload({ mesh, look }: Bucket, from: number, to: number): void {
    for (const attribute of [mesh.instanceMatrix, look]) {
      attribute.addUpdateRange(from * attribute.itemSize, (to - from) * attribute.itemSize);
      attribute.needsUpdate = true;
    }
  }
}

/** By key; without stand-ins. */
function trianglesOf(buckets: ReadonlyMap<number, Bucket>): number {
  let sum = 0;
  for (const [key, { mesh, count }] of buckets) {
    const isStandIn = key % levelsPerModel === standInLevel;
    if (!isStandIn) sum += (count * (mesh.geometry.index?.count ?? 0)) / 3;
  }
  return sum;
}

function createBucket(
  source: { mesh: DrawnMesh; material: ShaderMaterial },
  capacity: number,
): Bucket {
  // Why another geometry: the instances' looks are an attribute of it; the vertices are shared.
  const geometry = new BufferGeometry();
  for (const [name, attribute] of Object.entries(source.mesh.geometry.attributes)) {
    geometry.setAttribute(name, attribute);
  }
  geometry.setIndex(source.mesh.geometry.index);
  const look = new InstancedBufferAttribute(new Float32Array(3 * capacity), 3);
  look.setUsage(DynamicDrawUsage);
  geometry.setAttribute('look', look);
  const mesh = new InstancedMesh(geometry, source.material, capacity);
  mesh.instanceMatrix.setUsage(DynamicDrawUsage);
  mesh.frustumCulled = false;
  // Why: nothing asks for its ball, yet it would be computed from all vertices and instances.
  mesh.boundingSphere = new Sphere();
  mesh.matrixAutoUpdate = false;
  mesh.count = 0;
  return { mesh, look, capacity, count: 0, rows: new Int32Array(capacity).fill(-1) };
}

function modelCount({ modelId }: InstanceTable): number {
  let most = 0;
  for (const model of modelId) most = Math.max(most, model + 1);
  return most;
}
