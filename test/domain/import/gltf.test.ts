// glTF: a GLB written here byte by byte becomes OBJ meshes and instances where the glTF has them, z up; everything that
// cannot come over is counted, and damaged files are refused.
import { Document, WebIO } from '@gltf-transform/core';
import { EXTMeshoptCompression, KHRDracoMeshCompression } from '@gltf-transform/extensions';
import { createRequire } from 'node:module';
import { encode } from 'fast-png';
import { MeshoptEncoder } from 'meshoptimizer/encoder';
import { describe, expect, it } from 'vitest';
import type { Parsed } from '#contract/documents/problems.ts';
import { gltfFiles, readGltf } from '#domain/import/gltf/gltfDocument.ts';
import { gltfScene } from '#domain/import/gltf/gltfScene.ts';
import type { ImportedScene } from '#domain/import/importedScene.ts';
import { loadDraco } from '#hosts/node/dracoDecoder.ts';
import { glbOf, leafPng, treeGltf } from './glb.ts';

const draco3d = createRequire(import.meta.url)('draco3dgltf') as {
  createEncoderModule: () => Promise<unknown>;
};

type ReadBeside = (name: string) => Promise<Uint8Array>;
const never: ReadBeside = (name) => Promise.reject(new Error(`no ${name}`));

/** As the import reads a glTF. */
async function read(bytes: Uint8Array, beside: ReadBeside): Promise<Parsed<ImportedScene>> {
  const { value: files, problems } = gltfFiles(bytes);
  if (files === null) return { value: null, problems };
  const resources: Record<string, Uint8Array> = {};
  for (const { name } of files) resources[name] = await beside(name);
  const document = await readGltf(bytes, resources);
  return document.value === null ? document : gltfScene(document.value, 'plot');
}

async function imported(bytes: Uint8Array, beside = never): Promise<ImportedScene> {
  const { value, problems } = await read(bytes, beside);
  expect(problems).toEqual([]);
  if (value === null) throw new Error('not imported');
  return value;
}

async function problemOf(bytes: Uint8Array): Promise<string> {
  const { problems } = await read(bytes, never);
  return problems[0]?.message ?? 'none';
}

function textOf(scene: ImportedScene, name: string): string {
  const content = scene.files.find((file) => file.name === name)?.content;
  return typeof content === 'string' ? content : new TextDecoder().decode(content);
}

/** Vertices of an OBJ. */
function verticesOf(text: string): number[][] {
  const lines = text.split('\n').filter((line) => line.startsWith('v '));
  return lines.map((line) => line.slice(2).split(' ').map(Number));
}

describe('gltfScene', () => {
  it('makes one model of a mesh and an instance of each node, z up', async () => {
    const { json, bin } = treeGltf();
    const scene = await imported(glbOf(json, bin));
    expect(Object.keys(scene.models)).toEqual(['Tree', 'Tree-2']);
    // y up (3, 0, -4) is z up (3, 4, 0); a turn of 90° about y is one about z.
    expect(scene.instances.slice(0, 2)).toEqual([
      { name: 'first', model: 'Tree', positionM: [3, 4, 0], onGround: false },
      {
        name: 'second',
        model: 'Tree',
        positionM: [0, 0, 1],
        onGround: false,
        yawDeg: 90,
        scale: 2,
      },
    ]);
    // Corners (0,0,0), (1,0,0), (0,2,0), y up.
    expect(verticesOf(textOf(scene, 'plot-Tree.obj')).slice(0, 3)).toEqual([
      [0, 0, 0],
      [1, 0, 0],
      [0, 0, 2],
    ]);
  });

  it('puts unequal scales into the vertices, and turns the corners of a mirrored mesh', async () => {
    const { json, bin } = treeGltf();
    const scene = await imported(glbOf(json, bin));
    expect(scene.instances[2]).toEqual({
      name: 'mirrored',
      model: 'Tree-2',
      positionM: [0, 0, 0],
      onGround: false,
    });
    const text = textOf(scene, 'plot-Tree-2.obj');
    expect(verticesOf(text)[1]).toEqual([-3, 0, 0]);
    expect(text).toContain('f 1/1 3/3 2/2');
  });

  it('takes shear as it is written: of a matrix, and of unequal scales around a turned node', async () => {
    const { json, bin } = treeGltf();
    const sheared = [1, 0, 0, 0, 0.5, 1, 0.25, 0, 0, 0, 1, 0, 3, 0, -4, 1];
    // 45° about z, given twice as long.
    const turn = [0, 0, 2 * Math.sin(Math.PI / 8), 2 * Math.cos(Math.PI / 8)];
    const nodes = [
      { name: 'sheared', mesh: 0, matrix: sheared },
      { scale: [2, 1, 1], translation: [10, 0, 0], children: [2] },
      { name: 'nested', mesh: 0, rotation: turn, scale: [1, 3, 1], translation: [1, 1, 1] },
      { name: 'hidden', mesh: 0 },
    ];
    const scene = await imported(glbOf({ ...json, nodes, scenes: [{ nodes: [0, 1] }] }, bin));
    expect(scene.instances.map(({ name, model, positionM }) => [name, model, positionM])).toEqual([
      ['sheared', 'Tree', [3, 4, 0]],
      // y up: 2 · 1 + 10, 1, 1.
      ['nested', 'Tree-2', [12, -1, 1]],
    ]);
    expect(Object.keys(scene.instances[0] ?? {})).not.toContain('yawDeg');
    const cornersOf = (model: string) => verticesOf(textOf(scene, `plot-${model}.obj`)).slice(0, 3);
    // Corners (0,0,0), (1,0,0), (0,2,0), y up. x + y / 2, y, z + y / 4: the third goes to (1, 2, 0.5).
    expect(cornersOf('Tree')).toEqual([
      [0, 0, 0],
      [1, 0, 0],
      [1, -0.5, 2],
    ]);
    // (1,0,0) turns to (h, h, 0), h² = 1/2; (0,2,0) becomes (0,6,0) and turns to (-6h, 6h, 0); then x doubles.
    const h = Math.SQRT1_2;
    const [, second = [], third = []] = cornersOf('Tree-2');
    for (const [axis, metres] of [2 * h, 0, h].entries()) {
      expect(second[axis]).toBeCloseTo(metres, 7);
    }
    for (const [axis, metres] of [-12 * h, 0, 6 * h].entries()) {
      expect(third[axis]).toBeCloseTo(metres, 7);
    }
  });

  it('keeps materials by name with image and cut', async () => {
    const { json, bin } = treeGltf();
    const scene = await imported(glbOf(json, bin));
    expect(scene.models['Tree']).toMatchObject({
      upAxis: 'z',
      unit: 'm',
      alphaThreshold: 0.25,
      materials: { Leaf: 'Leaf', 'Old-bark': 'Old-bark' },
    });
    expect(scene.materials['Leaf']).toMatchObject({ reflectance: 0.5 });
    // sRGB of 0.5, 0.25, 0 linear.
    expect(scene.materials['Old-bark']).toMatchObject({ reflectance: 0.3, colour: '#bc8900' });
    const library = textOf(scene, 'plot-Tree.mtl');
    expect(library).toContain(
      'newmtl Leaf\nKd 1.000 1.000 1.000\nmap_Kd plot-leaf.png\nmap_d plot-leaf.png',
    );
    expect(library.split('newmtl Old-bark')[1]).not.toContain('map_');
    expect(scene.files.find(({ name }) => name === 'plot-leaf.png')?.content).toEqual(leafPng());
    // v goes up in OBJ, down in glTF.
    expect(textOf(scene, 'plot-Tree.obj')).toContain('vt 0 1\nvt 1 1\nvt 0 0\n');
  });

  it('makes no cut of an image without alpha, and none where the material is opaque', async () => {
    const { json, bin } = treeGltf();
    const opaque = structuredClone(json);
    for (const material of opaque.materials) material.alphaMode = 'OPAQUE';
    expect(textOf(await imported(glbOf(opaque, bin)), 'plot-Tree.mtl')).not.toContain('map_d');
    const grey = encode({ width: 2, height: 1, data: new Uint8Array([0, 255]), channels: 1 });
    const { json: solid, bin: solidBin } = treeGltf(grey);
    expect(textOf(await imported(glbOf(solid, solidBin)), 'plot-Tree.mtl')).not.toContain('map_d');
  });

  it('counts what a scene of surfaces cannot hold', async () => {
    const { json, bin } = treeGltf();
    const ignored = (await imported(glbOf(json, bin))).ignored;
    expect(ignored).toEqual(
      expect.arrayContaining([
        { what: 'points and lines', count: 1 },
        { what: 'animations (objects do not move)', count: 1 },
        { what: 'cameras', count: 1 },
        { what: 'lights', count: 2 },
        { what: 'extension KHR_texture_transform', count: 1 },
      ]),
    );
  });

  it('reads a .gltf with files beside it and inside', async () => {
    const { json, bin } = treeGltf();
    const outside = { ...json, buffers: [{ byteLength: bin.length, uri: 'my%20buffer.bin' }] };
    const asked: string[] = [];
    const scene = await imported(new TextEncoder().encode(JSON.stringify(outside)), (name) => {
      asked.push(name);
      return Promise.resolve(bin);
    });
    expect(asked).toEqual(['my buffer.bin']);
    expect(scene.instances).toHaveLength(3);
    const uri = `data:application/octet-stream;base64,${Buffer.from(bin).toString('base64')}`;
    const inside = { ...json, buffers: [{ byteLength: bin.length, uri }] };
    const same = await imported(new TextEncoder().encode(JSON.stringify(inside)));
    expect(same.files).toEqual(scene.files);
  });

  it('refuses what is none, other versions, needed extensions, and files elsewhere', async () => {
    const { json, bin } = treeGltf();
    expect(await problemOf(new Uint8Array(40))).toContain('expected glTF (JSON with an asset)');
    expect(await problemOf(glbOf(json, bin).subarray(0, 200))).toContain('damaged file');
    expect(await problemOf(glbOf({ ...json, asset: { version: '1.0' } }, bin))).toBe(
      "expected glTF 2.0, found '1.0'",
    );
    const needed = { ...json, extensionsRequired: ['VENDOR_shapes', 'KHR_materials_unlit'] };
    expect(await problemOf(glbOf(needed, bin))).toMatch(
      /, found VENDOR_shapes: export without it$/,
    );
    expect(
      await problemOf(glbOf({ ...json, asset: { version: '2.1', minVersion: '2.1' } }, bin)),
    ).toBe("expected '2.0', found '2.1'");
    for (const uri of ['../x.bin', '/etc/passwd', 'https://example.org/x.bin', '%2e%2e/x.bin']) {
      const text = JSON.stringify({ ...json, buffers: [{ byteLength: bin.length, uri }] });
      expect(await problemOf(new TextEncoder().encode(text))).toContain(
        'in the folder of the glTF',
      );
    }
    const other = treeGltf();
    other.bin.set([9], other.json.bufferViews[2]?.byteOffset ?? 0);
    expect(await problemOf(glbOf(other.json, other.bin))).toBe(
      "expected corners among 3 vertices in mesh 'Tree', found 9",
    );
    expect(await problemOf(glbOf({ ...json, nodes: [{}], scenes: [{ nodes: [0] }] }, bin))).toBe(
      'expected triangles, found none',
    );
  });

  it('names the place of what has another type than the format says', async () => {
    const { json, bin } = treeGltf();
    const wrong: [path: string, change: object][] = [
      ['accessors', { accessors: {} }],
      ['buffers', { buffers: { length: 1 } }],
      ['buffers[0]', { buffers: [null] }],
      ['buffers[0].uri', { buffers: [{ byteLength: 1, uri: 5 }] }],
      ['extensionsRequired', { extensionsRequired: 'KHR_draco_mesh_compression' }],
      ['asset', { asset: null }],
      ['nodes[0].name', { nodes: [{ mesh: 0, name: { a: 1 } }] }],
      ['nodes[0].matrix', { nodes: [{ mesh: 0, matrix: [1, 2] }] }],
      ['nodes[0].mesh', { nodes: [{ mesh: 7 }] }],
      ['meshes[0].primitives', { meshes: [{ primitives: [] }] }],
      ['materials[1].alphaMode', { materials: [json.materials[0], { alphaMode: 1 }] }],
      ['bufferViews[0]', { buffers: [{ byteLength: 4 }] }],
    ];
    for (const [path, change] of wrong) {
      const { problems } = await read(glbOf({ ...json, ...change }, bin), never);
      expect(problems.map((problem) => problem.path)).toContain(path);
      expect(problems[0]?.message).toMatch(/^expected .*, found /);
    }
  });

  it('takes no memory for elements that the file does not have', async () => {
    const { json, bin } = treeGltf();
    const [first, ...others] = json.accessors;
    const problemsOf = async (change: object) => {
      const accessors = [{ ...first, ...change }, ...others];
      return (await read(glbOf({ ...json, accessors }, bin), never)).problems;
    };
    const indices = { bufferView: 2, componentType: 5123 };
    const sparse = { count: 2, indices, values: { bufferView: 0 } };
    expect(await problemsOf({ sparse })).toEqual([]);
    expect(await problemsOf({ sparse: { ...sparse, count: 2 ** 31 } })).toMatchObject([
      { path: 'accessors[0].sparse.count', message: 'expected at most 3, found 2147483648' },
    ]);
    const outside = { ...indices, componentType: 5125, byteOffset: 4 };
    expect(await problemsOf({ sparse: { ...sparse, indices: outside } })).toMatchObject([
      { path: 'accessors[0].sparse.indices' },
    ]);
    expect(await problemsOf({ count: 5000 })).toMatchObject([
      {
        path: 'accessors[0]',
        message: 'expected elements within the 36 bytes of its view, found 60000 from byte 0 on',
      },
    ]);
    expect(await problemsOf({ count: 150_000_000, bufferView: undefined })).toMatchObject([
      { path: 'accessors' },
    ]);
  });

  it('refuses nodes within themselves and too deep ones', async () => {
    const { json, bin } = treeGltf();
    const problemsOf = async (nodes: object[]) =>
      (await read(glbOf({ ...json, nodes, scenes: [{ nodes: [0] }] }, bin), never)).problems;
    const loop = [{ children: [1] }, { children: [0], mesh: 0 }];
    expect(await problemsOf(loop)).toMatchObject([{ path: 'nodes[0]' }]);
    expect(await problemsOf([{ children: [2] }, { children: [2] }, { mesh: 0 }])).toMatchObject([
      { path: 'nodes[1].children', message: 'expected nodes of one parent, found 2 in 0' },
    ]);
    const chain: object[] = Array.from({ length: 5000 }, (_, at) => ({ children: [at + 1] }));
    expect(await problemsOf([...chain, { mesh: 0 }])).toMatchObject([
      { message: 'expected at most 1000 nodes within each other, found more' },
    ]);
  });

  it('reads a file once, however its name is written', async () => {
    const { json, bin } = treeGltf();
    const uris = ['big.bin', './big.bin', 'big%2Ebin', './/./big.bin'];
    const outside = {
      ...json,
      buffers: uris.map((uri) => ({ byteLength: bin.length, uri })),
      bufferViews: json.bufferViews.map((view, at) => ({ ...view, buffer: at % uris.length })),
    };
    const asked: string[] = [];
    const scene = await imported(new TextEncoder().encode(JSON.stringify(outside)), (name) => {
      asked.push(name);
      return Promise.resolve(bin);
    });
    expect(asked).toEqual(['big.bin']);
    expect(scene.instances).toHaveLength(3);
    const short = new TextEncoder().encode(JSON.stringify(outside));
    const { problems } = await read(short, () => Promise.resolve(bin.subarray(0, 8)));
    expect(problems).toMatchObject([{ path: 'buffers[0]' }]);
  });
});

describe('extensions of glTF', () => {
  /** The tree's mesh once, as 3 instances of a node that is moved by 10 m. */
  function instancedTree() {
    const { json, bin } = treeGltf();
    const places = new Float32Array([0, 0, 0, 5, 0, 0, 0, 0, -7]);
    const turns = new Float32Array([0, 0, 0, 1, 0, Math.SQRT1_2, 0, Math.SQRT1_2, 0, 0, 0, 1]);
    const more = new Uint8Array(bin.length + places.byteLength + turns.byteLength);
    more.set(bin);
    more.set(new Uint8Array(places.buffer), bin.length);
    more.set(new Uint8Array(turns.buffer), bin.length + places.byteLength);
    const view = json.bufferViews.length;
    const accessor = json.accessors.length;
    const instanced = {
      ...json,
      extensionsUsed: ['EXT_mesh_gpu_instancing'],
      extensionsRequired: ['EXT_mesh_gpu_instancing'],
      scenes: [{ nodes: [0] }],
      nodes: [
        {
          name: 'oak',
          mesh: 0,
          translation: [0, 0, -10],
          extensions: {
            EXT_mesh_gpu_instancing: {
              attributes: { TRANSLATION: accessor, ROTATION: accessor + 1 },
            },
          },
        },
      ],
      bufferViews: [
        ...json.bufferViews,
        { buffer: 0, byteOffset: bin.length, byteLength: places.byteLength },
        { buffer: 0, byteOffset: bin.length + places.byteLength, byteLength: turns.byteLength },
      ],
      accessors: [
        ...json.accessors,
        { bufferView: view, componentType: 5126, count: 3, type: 'VEC3' },
        { bufferView: view + 1, componentType: 5126, count: 3, type: 'VEC4' },
      ],
      buffers: [{ byteLength: more.length }],
    };
    return { json: instanced, bin: more };
  }

  it('instances become instances, each where it is', async () => {
    const { json, bin } = instancedTree();
    const scene = await imported(glbOf(json, bin));
    expect(Object.keys(scene.models)).toHaveLength(1);
    expect(scene.instances.map(({ name, positionM, yawDeg }) => [name, positionM, yawDeg])).toEqual(
      [
        ['oak', [0, 10, 0], undefined],
        ['oak-2', [5, 10, 0], 90],
        ['oak-3', [0, 17, 0], undefined],
      ],
    );
    expect(scene.ignored.map(({ what }) => what).join()).not.toContain('EXT_mesh');
  });

  it('instances of different counts, and accessors at odd bytes, are refused by their places', async () => {
    const { json, bin } = instancedTree();
    const accessors = json.accessors.map((one, at) => (at === 5 ? { ...one, count: 2 } : one));
    expect(await problemOf(glbOf({ ...json, accessors }, bin))).toBe(
      'expected 3 instances, found 2',
    );
    const odd = json.accessors.map((one, at) =>
      at === 0 ? { ...one, byteOffset: 2, count: 2 } : one,
    );
    expect(await problemOf(glbOf({ ...json, accessors: odd }, bin))).toBe(
      'expected a start that is a multiple of 4 bytes, found byte 2',
    );
  });

  it('those of looks may be required', async () => {
    const { json, bin } = treeGltf();
    const looks = ['KHR_materials_unlit', 'EXT_texture_webp', 'KHR_texture_transform'];
    const textures = [{ extensions: { EXT_texture_webp: { source: 0 } } }];
    const required = { ...json, textures, extensionsUsed: looks, extensionsRequired: looks };
    const scene = await imported(glbOf(required, bin));
    expect(scene.instances).toHaveLength(3);
    expect(scene.ignored).toContainEqual({ what: 'extension KHR_materials_unlit', count: 1 });
  });

  it('a later version of glTF 2 is read', async () => {
    const { json, bin } = treeGltf();
    const scene = await imported(glbOf({ ...json, asset: { version: '2.1' } }, bin));
    expect(scene.instances).toHaveLength(3);
  });

  it('a GLB may have its images beside it, and lack them', async () => {
    const { json, bin } = treeGltf();
    const outside = glbOf({ ...json, images: [{ uri: 'leaf.png' }] }, bin);
    expect(gltfFiles(outside).value).toEqual([
      { name: 'leaf.png', uris: ['leaf.png'], isImage: true },
    ]);
    const scene = await imported(outside, () => Promise.resolve(leafPng()));
    expect(scene.files.filter(({ name }) => name.endsWith('.png'))).toHaveLength(1);
    const { value } = await readGltf(outside, {});
    const without = value === null ? null : gltfScene(value, 'plot').value;
    expect(without?.instances).toHaveLength(3);
    expect(without?.files.filter(({ name }) => name.endsWith('.png'))).toEqual([]);
  });

  it.each([
    ['Draco', (document: Document) => document.createExtension(KHRDracoMeshCompression)],
    ['meshopt', (document: Document) => document.createExtension(EXTMeshoptCompression)],
  ])('meshes that %s compressed are decoded', async (_, compress) => {
    const bytes = await compressedSphere(compress);
    const read = await readGltf(bytes, {}, loadDraco);
    expect(read.problems).toEqual([]);
    const scene = read.value === null ? null : gltfScene(read.value, 'plot').value;
    const [name = ''] = scene?.files.map((file) => file.name) ?? [];
    const vertices = scene === null ? [] : verticesOf(textOf(scene, name));
    expect(vertices.length).toBeGreaterThan(300);
    const off = vertices.map((at) => Math.abs(Math.hypot(...at) - 1));
    // 14 bits of Draco over 2 m, 16 of meshopt.
    expect(Math.max(...off)).toBeLessThan(3e-4);
    const cut = bytes.slice();
    cut.fill(0x55, bytes.length - 400, bytes.length - 40);
    const damaged = await readGltf(cut, {}, loadDraco);
    const message = damaged.problems[0]?.message ?? '';
    expect(message === '' || /^expected .*, found /.test(message)).toBe(true);
  });
});

/** A sphere of 400 vertices, by the library's own writer. */
async function compressedSphere(
  compress: (document: Document) => { setRequired(isRequired: boolean): unknown },
): Promise<Uint8Array> {
  const document = new Document();
  const buffer = document.createBuffer();
  const [rows, columns] = [20, 20];
  const positions = Float32Array.from({ length: 3 * rows * columns }, (_, at) => {
    const vertex = Math.floor(at / 3);
    const polar = (Math.PI * (Math.floor(vertex / columns) + 0.5)) / rows;
    const turn = (2 * Math.PI * (vertex % columns)) / columns;
    const level = Math.sin(polar);
    return [level * Math.cos(turn), level * Math.sin(turn), Math.cos(polar)][at % 3] ?? 0;
  });
  const indices = Uint16Array.from(
    Array.from({ length: (rows - 1) * (columns - 1) }, (_, cell) => {
      const corner = Math.floor(cell / (columns - 1)) * columns + (cell % (columns - 1));
      return [
        corner,
        corner + 1,
        corner + columns,
        corner + 1,
        corner + columns + 1,
        corner + columns,
      ];
    }).flat(),
  );
  const position = document.createAccessor().setType('VEC3').setArray(positions).setBuffer(buffer);
  const corners = document.createAccessor().setType('SCALAR').setArray(indices).setBuffer(buffer);
  const primitive = document.createPrimitive().setAttribute('POSITION', position);
  const mesh = document.createMesh('sphere').addPrimitive(primitive.setIndices(corners));
  document.createScene().addChild(document.createNode('ball').setMesh(mesh));
  compress(document).setRequired(true);
  const io = new WebIO()
    .registerExtensions([KHRDracoMeshCompression, EXTMeshoptCompression])
    .registerDependencies({
      'draco3d.encoder': await draco3d.createEncoderModule(),
      'meshopt.encoder': MeshoptEncoder,
    });
  return io.writeBinary(document);
}
