// References and sizes of a glTF, before memory is taken for them: every index is in its list, every accessor in its
// view, every view in its buffer, nodes are trees; the memory of all accessors follows from the bytes of the file.
import type { Problem } from '#contract/documents/problems.ts';
import { countProblem } from '../importedScene.ts';
import { componentBytes, componentsOf, type Gltf, type GltfAccessor } from './gltfSchema.ts';

/** Nodes within each other at most. */
const maxDepth = 1000;
/**
 * Bytes of all accessors at most, of a file without buffers and for each byte of buffers. Why more than one: accessors
 * may share a view.
 */
const freeAccessorBytes = 2 ** 26;
const accessorShare = 8;
/** Share of files that Draco or meshopt compressed: to a fiftieth at best. */
const compressedShare = 64;

type Report = (path: string, message: string) => void;

/** The problems, or none. */
export function gltfProblems(gltf: Gltf): Problem[] {
  const problems: Problem[] = [];
  const report: Report = (path, message) => problems.push({ path, code: 'custom', message });
  checkReferences(gltf, report);
  if (problems.length > 0) return problems;
  checkViews(gltf, report);
  checkAccessors(gltf, report);
  checkAttributes(gltf, report);
  checkInstances(gltf, report);
  checkTrees(gltf, report);
  return problems;
}

function checkReferences(gltf: Gltf, report: Report): void {
  const expectIn = (list: keyof Gltf, index: number | undefined, path: string): void => {
    const { length } = (gltf[list] ?? []) as unknown[];
    if (index !== undefined && index >= length) {
      report(path, `expected one of ${length} ${list}, found number ${index}`);
    }
  };
  expectIn('scenes', gltf.scene, 'scene');
  gltf.scenes?.forEach(({ nodes }, at) =>
    nodes?.forEach((node, nth) => expectIn('nodes', node, `scenes[${at}].nodes[${nth}]`)),
  );
  gltf.nodes?.forEach(({ mesh, children, extensions }, at) => {
    expectIn('meshes', mesh, `nodes[${at}].mesh`);
    const { attributes = {} } = extensions?.EXT_mesh_gpu_instancing ?? {};
    for (const [attribute, accessor] of Object.entries(attributes)) {
      expectIn(
        'accessors',
        accessor,
        `nodes[${at}].extensions.EXT_mesh_gpu_instancing.${attribute}`,
      );
    }
    children?.forEach((child, nth) => expectIn('nodes', child, `nodes[${at}].children[${nth}]`));
  });
  gltf.meshes?.forEach(({ primitives }, at) =>
    primitives.forEach(({ attributes, indices, material, extensions }, nth) => {
      const path = `meshes[${at}].primitives[${nth}]`;
      const draco = extensions?.KHR_draco_mesh_compression;
      expectIn('bufferViews', draco?.bufferView, `${path}.extensions.KHR_draco_mesh_compression`);
      expectIn('accessors', indices, `${path}.indices`);
      expectIn('materials', material, `${path}.material`);
      for (const [attribute, accessor] of Object.entries(attributes)) {
        expectIn('accessors', accessor, `${path}.attributes.${attribute}`);
      }
    }),
  );
  gltf.materials?.forEach((material, at) => {
    const { baseColorTexture, metallicRoughnessTexture } = material.pbrMetallicRoughness ?? {};
    const { normalTexture, occlusionTexture, emissiveTexture } = material;
    const path = `materials[${at}]`;
    expectIn('textures', baseColorTexture?.index, `${path}.pbrMetallicRoughness.baseColorTexture`);
    const roughness = `${path}.pbrMetallicRoughness.metallicRoughnessTexture`;
    expectIn('textures', metallicRoughnessTexture?.index, roughness);
    expectIn('textures', normalTexture?.index, `${path}.normalTexture`);
    expectIn('textures', occlusionTexture?.index, `${path}.occlusionTexture`);
    expectIn('textures', emissiveTexture?.index, `${path}.emissiveTexture`);
  });
  gltf.textures?.forEach(({ source }, at) => expectIn('images', source, `textures[${at}].source`));
  gltf.images?.forEach(({ uri, bufferView }, at) => {
    expectIn('bufferViews', bufferView, `images[${at}].bufferView`);
    if ((uri ?? bufferView) === undefined) {
      report(`images[${at}]`, 'expected a uri or a bufferView, found neither');
    }
  });
  gltf.bufferViews?.forEach(({ buffer, extensions }, at) => {
    expectIn('buffers', buffer, `bufferViews[${at}].buffer`);
    const packed = extensions?.EXT_meshopt_compression;
    expectIn('buffers', packed?.buffer, `bufferViews[${at}].extensions.EXT_meshopt_compression`);
  });
  gltf.accessors?.forEach(({ bufferView, sparse }, at) => {
    const path = `accessors[${at}]`;
    expectIn('bufferViews', bufferView, `${path}.bufferView`);
    expectIn('bufferViews', sparse?.indices.bufferView, `${path}.sparse.indices.bufferView`);
    expectIn('bufferViews', sparse?.values.bufferView, `${path}.sparse.values.bufferView`);
  });
}

function checkViews({ bufferViews = [], buffers = [] }: Gltf, report: Report): void {
  const reportPart = (path: string, size: number, from: number, length: number): void => {
    const found = `bytes ${from} to ${from + length}`;
    report(path, `expected a part of the ${size} bytes of its buffer, found ${found}`);
  };
  for (const [at, { buffer, byteOffset = 0, byteLength }] of bufferViews.entries()) {
    const size = buffers[buffer]?.byteLength ?? 0;
    if (byteOffset + byteLength <= size) continue;
    reportPart(`bufferViews[${at}]`, size, byteOffset, byteLength);
  }
  for (const [at, { byteLength, extensions }] of bufferViews.entries()) {
    const packed = extensions?.EXT_meshopt_compression;
    if (packed === undefined) continue;
    const path = `bufferViews[${at}].extensions.EXT_meshopt_compression`;
    const size = buffers[packed.buffer]?.byteLength ?? 0;
    const { byteOffset = 0, count, byteStride } = packed;
    if (byteOffset + packed.byteLength > size) {
      reportPart(path, size, byteOffset, packed.byteLength);
    }
    if (count * byteStride === byteLength) continue;
    report(path, `expected ${byteLength} bytes, found ${count} elements of ${byteStride}`);
  }
}

function checkAccessors(gltf: Gltf, report: Report): void {
  let total = 0;
  for (const [at, accessor] of (gltf.accessors ?? []).entries()) {
    const { bufferView, byteOffset = 0, count, componentType, sparse } = accessor;
    const path = `accessors[${at}]`;
    const expectIn = (view: number, offset: number, bytes: number, of: string): void => {
      const size = gltf.bufferViews?.[view]?.byteLength ?? 0;
      if (offset + bytes <= size) return;
      const found = `${bytes} from byte ${offset} on`;
      report(of, `expected elements within the ${size} bytes of its view, found ${found}`);
    };
    const size = elementBytes(accessor);
    total += count * size;
    if (bufferView !== undefined) {
      const stride = gltf.bufferViews?.[bufferView]?.byteStride ?? size;
      expectIn(bufferView, byteOffset, (count - 1) * stride + size, path);
      const start = (gltf.bufferViews?.[bufferView]?.byteOffset ?? 0) + byteOffset;
      if (start % componentBytes[componentType] !== 0) {
        const expected = `expected a start that is a multiple of ${componentBytes[componentType]} bytes`;
        report(path, `${expected}, found byte ${start}`);
      }
    }
    if (sparse === undefined) continue;
    if (sparse.count > count) {
      report(`${path}.sparse.count`, `expected at most ${count}, found ${sparse.count}`);
      continue;
    }
    const { indices, values } = sparse;
    const indexBytes = sparse.count * componentBytes[indices.componentType];
    expectIn(indices.bufferView, indices.byteOffset ?? 0, indexBytes, `${path}.sparse.indices`);
    const valueBytes = sparse.count * componentsOf[accessor.type] * componentBytes[componentType];
    expectIn(values.bufferView, values.byteOffset ?? 0, valueBytes, `${path}.sparse.values`);
  }
  const stored = (gltf.buffers ?? []).filter(
    ({ extensions }) => extensions?.EXT_meshopt_compression?.fallback !== true,
  );
  const inBuffers = stored.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const isCompressed = (gltf.extensionsUsed ?? []).some((name) => /_compression$/.test(name));
  const most = freeAccessorBytes + (isCompressed ? compressedShare : accessorShare) * inBuffers;
  for (const { extensions } of gltf.bufferViews ?? []) {
    const { count = 0, byteStride = 0 } = extensions?.EXT_meshopt_compression ?? {};
    total += count * byteStride;
  }
  if (total <= most) return;
  const found = `found ${total} for ${inBuffers} bytes of buffers`;
  report('accessors', `expected at most ${most} bytes in all accessors, ${found}`);
}

/** As the library stores them: single or whole numbers. */
function elementBytes({ type, componentType }: GltfAccessor): number {
  return componentsOf[type] * componentBytes[componentType];
}

type GltfNode = NonNullable<Gltf['nodes']>[number];

/** Instances by EXT_mesh_gpu_instancing; 1: it has none. */
function instanceCount({ extensions }: GltfNode, accessors: readonly GltfAccessor[]): number {
  const { attributes } = extensions?.EXT_mesh_gpu_instancing ?? {};
  const [first] = Object.values(attributes ?? {});
  return attributes === undefined ? 1 : (accessors[first ?? -1]?.count ?? 0);
}

const instanceTypes: Readonly<Record<string, string>> = {
  TRANSLATION: 'VEC3',
  ROTATION: 'VEC4',
  SCALE: 'VEC3',
};

/** Instances have as many places as turns and sizes. */
function checkInstances({ nodes = [], accessors = [] }: Gltf, report: Report): void {
  for (const [at, node] of nodes.entries()) {
    const { attributes = {} } = node.extensions?.EXT_mesh_gpu_instancing ?? {};
    const count = instanceCount(node, accessors);
    for (const [attribute, index] of Object.entries(attributes)) {
      const path = `nodes[${at}].extensions.EXT_mesh_gpu_instancing.attributes.${attribute}`;
      const accessor = accessors[index];
      const type = instanceTypes[attribute] ?? accessor?.type;
      if (accessor?.type !== type) {
        report(path, `expected an accessor of type ${type}, found ${accessor?.type}`);
      }
      if (accessor?.count !== count) {
        report(path, `expected ${count} instances, found ${accessor?.count}`);
      }
    }
  }
}

/** Places are VEC3, coordinates of images VEC2, corners single numbers. */
function checkAttributes({ meshes = [], accessors = [] }: Gltf, report: Report): void {
  const expectType = (index: number | undefined, type: string, path: string): void => {
    const found = index === undefined ? type : accessors[index]?.type;
    if (found !== type) report(path, `expected an accessor of type ${type}, found ${found}`);
  };
  for (const [at, { primitives }] of meshes.entries()) {
    for (const [nth, { attributes, indices }] of primitives.entries()) {
      const path = `meshes[${at}].primitives[${nth}]`;
      expectType(indices, 'SCALAR', `${path}.indices`);
      expectType(attributes['POSITION'], 'VEC3', `${path}.attributes.POSITION`);
      for (const [attribute, accessor] of Object.entries(attributes)) {
        if (attribute.startsWith('TEXCOORD_')) {
          expectType(accessor, 'VEC2', `${path}.attributes.${attribute}`);
        }
      }
    }
  }
}

/** Each node is in one other or in none, none is in itself, and they are not too deep. */
function checkTrees({ nodes = [], accessors = [] }: Gltf, report: Report): void {
  const objects = nodes.map((node) =>
    node.mesh === undefined ? 0 : instanceCount(node, accessors),
  );
  const tooMany = countProblem(objects.reduce((sum, count) => sum + count, 0));
  if (tooMany !== null) return report('nodes', tooMany);
  const parentOf = new Map<number, number>();
  for (const [at, { children = [] }] of nodes.entries()) {
    for (const child of children) {
      const known = parentOf.get(child);
      if (known !== undefined) {
        report(`nodes[${at}].children`, `expected nodes of one parent, found ${child} in ${known}`);
        return;
      }
      parentOf.set(child, at);
    }
  }
  const depths = new Map<number, number>();
  for (const at of nodes.keys()) {
    const chain: number[] = [];
    let node: number | undefined = at;
    while (node !== undefined && !depths.has(node) && chain.length <= maxDepth) {
      chain.push(node);
      node = parentOf.get(node);
    }
    let depth = node === undefined ? 0 : (depths.get(node) ?? maxDepth);
    for (const known of chain.reverse()) depths.set(known, (depth += 1));
    if (depth <= maxDepth) continue;
    report(`nodes[${at}]`, `expected at most ${maxDepth} nodes within each other, found more`);
    return;
  }
}
