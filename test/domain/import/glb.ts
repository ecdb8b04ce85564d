// Writes small glTF files by the specification (Khronos glTF 2.0, 4.4), without the library that reads them.
import { encode } from 'fast-png';

/** Two texels: a hole and a leaf. */
export function leafPng(): Uint8Array {
  const data = new Uint8Array([60, 120, 40, 0, 60, 120, 40, 255]);
  return encode({ width: 2, height: 1, data, channels: 4 });
}

/**
 * A mesh of two triangles (leaf with image and cut, bark), a line, and three nodes; with things that do not come over.
 */
export function treeGltf(image = leafPng()) {
  const positions = new Float32Array([0, 0, 0, 1, 0, 0, 0, 2, 0]);
  const coordinates = new Float32Array([0, 0, 1, 0, 0, 1]);
  const indices = new Uint16Array([0, 1, 2, 0]);
  const parts = [positions, coordinates, indices].map(({ buffer }) => new Uint8Array(buffer));
  const views = [...parts, image].reduce<{ byteOffset: number; byteLength: number }[]>(
    (before, { length }) => {
      const last = before.at(-1);
      const end = last === undefined ? 0 : last.byteOffset + last.byteLength;
      return [...before, { byteOffset: 4 * Math.ceil(end / 4), byteLength: length }];
    },
    [],
  );
  const last = views.at(-1);
  const bin = new Uint8Array(
    4 * Math.ceil(((last?.byteOffset ?? 0) + (last?.byteLength ?? 0)) / 4),
  );
  for (const [at, part] of [...parts, image].entries()) bin.set(part, views[at]?.byteOffset ?? 0);
  const attributes = { POSITION: 0, TEXCOORD_0: 1 };
  const half = Math.SQRT1_2;
  const json = {
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: [0, 1, 2, 3] }],
    nodes: [
      { name: 'first', mesh: 0, translation: [3, 0, -4] },
      {
        name: 'second',
        mesh: 0,
        translation: [0, 1, 0],
        rotation: [0, half, 0, half],
        scale: [2, 2, 2],
      },
      { name: 'mirrored', mesh: 0, scale: [-3, 1, 1] },
      { name: 'camera', camera: 0 },
    ],
    cameras: [{ type: 'perspective', perspective: { yfov: 1, znear: 0.1 } }],
    animations: [
      {
        channels: [{ sampler: 0, target: { node: 0, path: 'translation' } }],
        samplers: [{ input: 3, output: 0 }],
      },
    ],
    extensionsUsed: ['KHR_lights_punctual', 'KHR_texture_transform'],
    extensions: { KHR_lights_punctual: { lights: [{ type: 'point' }, { type: 'point' }] } },
    meshes: [
      {
        name: 'Tree',
        primitives: [
          { attributes, indices: 2, material: 0 },
          { attributes, indices: 2, material: 1 },
          { attributes, mode: 1 },
        ],
      },
    ],
    materials: [
      {
        name: 'Leaf',
        alphaMode: 'MASK',
        alphaCutoff: 0.25,
        pbrMetallicRoughness: { baseColorTexture: { index: 0 } },
      },
      {
        name: 'Old bark',
        alphaMode: 'OPAQUE',
        pbrMetallicRoughness: { baseColorFactor: [0.5, 0.25, 0, 1] },
      },
    ],
    textures: [{ source: 0 }],
    images: [{ name: 'leaf', bufferView: 3, mimeType: 'image/png' }],
    accessors: [
      {
        bufferView: 0,
        componentType: 5126,
        count: 3,
        type: 'VEC3',
        min: [0, 0, 0],
        max: [1, 2, 0],
      },
      { bufferView: 1, componentType: 5126, count: 3, type: 'VEC2' },
      { bufferView: 2, componentType: 5123, count: 3, type: 'SCALAR' },
      { bufferView: 1, componentType: 5126, count: 3, type: 'SCALAR' },
    ],
    bufferViews: views.map((view) => ({ buffer: 0, ...view })),
    buffers: [{ byteLength: bin.length }],
  };
  return { json, bin };
}

/** Head, JSON chunk filled with blanks, binary chunk. */
export function glbOf(json: object, bin: Uint8Array): Uint8Array {
  const plain = new TextEncoder().encode(JSON.stringify(json));
  const text = new Uint8Array(4 * Math.ceil(plain.length / 4)).fill(0x20);
  text.set(plain);
  const bytes = new Uint8Array(12 + 8 + text.length + 8 + bin.length);
  const view = new DataView(bytes.buffer);
  const words = [0x46546c67, 2, bytes.length, text.length, 0x4e4f534a];
  for (const [at, word] of words.entries()) view.setUint32(4 * at, word, true);
  bytes.set(text, 20);
  view.setUint32(20 + text.length, bin.length, true);
  view.setUint32(24 + text.length, 0x004e4942, true);
  bytes.set(bin, 28 + text.length);
  return bytes;
}
