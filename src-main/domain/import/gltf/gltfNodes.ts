// The nodes of a glTF scene in the world: products of the matrices that the file states, in double precision, with the
// shear of a matrix and of unequal scales around a turned node.
// Why not the library's: it splits every matrix into translation, rotation and scale, which have no shear.
import type { Accessor } from '@gltf-transform/core';
import { apply3, identity3, multiply3, scale3, type Matrix3 } from '../geometry/placement.ts';
import type { Gltf } from './gltfSchema.ts';

type Node = NonNullable<Gltf['nodes']>[number];

type Placing = Pick<Node, 'matrix' | 'translation' | 'rotation' | 'scale'>;

/** v ↦ linear · v + translation. */
interface Affine {
  linear: Matrix3;
  translation: [number, number, number];
}

/** A node of a scene with a mesh; axes of glTF, y up. */
export interface PlacedMesh extends Affine {
  name: string | undefined;
  /** Number of the mesh. */
  mesh: number;
}

/**
 * The meshes of a scene, in order of the nodes from the roots down, those of EXT_mesh_gpu_instancing once for each
 * instance; `gltfProblems` has found trees. @param accessors of the document, by number
 */
export function placedMeshes(
  { nodes = [] }: Gltf,
  roots: readonly number[],
  accessors: readonly Accessor[],
): PlacedMesh[] {
  const shown = new Set(roots);
  const children = new Set(nodes.flatMap((node) => node.children ?? []));
  const placed: PlacedMesh[] = [];
  const visit = (at: number, parent: Affine, isBelowRoot: boolean): void => {
    const node = nodes[at];
    if (node === undefined) return;
    const world = productOf(parent, localOf(node));
    const isShown = isBelowRoot || shown.has(at);
    if (isShown && node.mesh !== undefined) {
      const { name, mesh } = node;
      for (const own of instancesOf(node, accessors)) {
        placed.push({ name, mesh, ...productOf(world, own) });
      }
    }
    for (const child of node.children ?? []) visit(child, world, isShown);
  };
  for (const at of nodes.keys()) if (!children.has(at)) visit(at, unmoved, false);
  return placed;
}

const unmoved: Affine = { linear: identity3, translation: [0, 0, 0] };

/** The maps of a node's instances; one that moves nothing where it has none. */
function instancesOf({ extensions }: Node, accessors: readonly Accessor[]): Affine[] {
  const attributes = extensions?.EXT_mesh_gpu_instancing?.attributes;
  if (attributes === undefined) return [unmoved];
  const of = (name: string): Accessor | undefined => accessors[attributes[name] ?? -1];
  const [translation, rotation, scale] = ['TRANSLATION', 'ROTATION', 'SCALE'].map(of);
  const count = (translation ?? rotation ?? scale)?.getCount() ?? 0;
  const element = (accessor: Accessor | undefined, at: number): number[] | undefined =>
    accessor?.getElement(at, []);
  return Array.from({ length: count }, (_, at) =>
    localOf({
      translation: element(translation, at),
      rotation: element(rotation, at),
      scale: element(scale, at),
    }),
  );
}

/** The map that does `b` first and then `a`. */
function productOf(a: Affine, b: Affine): Affine {
  const [x, y, z] = apply3(a.linear, b.translation);
  const [aX, aY, aZ] = a.translation;
  return { linear: multiply3(a.linear, b.linear), translation: [aX + x, aY + y, aZ + z] };
}

/** Khronos glTF 2.0, 3.5.3: a matrix by columns, or translation · rotation · scale. */
function localOf({ matrix, translation, rotation, scale }: Placing): Affine {
  if (matrix !== undefined) {
    const [xx = 1, xy = 0, xz = 0, , yx = 0, yy = 1, yz = 0, , zx = 0, zy = 0, zz = 1] = matrix;
    const [x = 0, y = 0, z = 0] = matrix.slice(12);
    return { linear: [xx, yx, zx, xy, yy, zy, xz, yz, zz], translation: [x, y, z] };
  }
  const [x = 0, y = 0, z = 0] = translation ?? [];
  const [scaleX = 1, scaleY = 1, scaleZ = 1] = scale ?? [];
  const linear = multiply3(rotationOf(rotation), scale3(scaleX, scaleY, scaleZ));
  return { linear, translation: [x, y, z] };
}

/** The rotation of a quaternion x, y, z, w. Why divided by its square: files hold rounded ones. */
function rotationOf([x = 0, y = 0, z = 0, w = 1]: readonly number[] = []): Matrix3 {
  const square = x * x + y * y + z * z + w * w;
  const s = square > 0 ? 2 / square : 0;
  return [
    ...([1 - s * (y * y + z * z), s * (x * y - z * w), s * (x * z + y * w)] as const),
    ...([s * (x * y + z * w), 1 - s * (x * x + z * z), s * (y * z - x * w)] as const),
    ...([s * (x * z - y * w), s * (y * z + x * w), 1 - s * (x * x + y * y)] as const),
  ];
}
