// glTF 2.0 (Khronos) read into the document of @gltf-transform/core. Counts and names of buffers are checked in the
// JSON before the library takes memory for them. The library is synchronous: hosts decode on another thread.
import { Extension, type Document, type GLTF, WebIO, Logger } from '@gltf-transform/core';
import type { Parsed } from '#contract/documents/problems.ts';
import { refused } from '../table.ts';

/** A file beside the glTF, as the glTF and as its folder name it. */
export interface GltfFile {
  uri: string;
  name: string;
}

export interface GltfDocument {
  document: Document;
  json: GLTF.IGLTF;
}

/** Numbers in all accessors at most: some gigabytes as text of an OBJ. */
const maxElements = 200_000_000;
const glbMagic = 0x46546c67;
const jsonChunk = 0x4e4f534a;

/** Vertices as whole numbers: the library decodes them, and only wants to know the name. */
class MeshQuantization extends Extension {
  static override EXTENSION_NAME = 'KHR_mesh_quantization';
  override readonly extensionName = 'KHR_mesh_quantization';
  read(): this {
    return this;
  }
  write(): this {
    return this;
  }
}

/** The buffers and images beside a .gltf; a .glb has none. */
export function gltfFiles(bytes: Uint8Array): Parsed<GltfFile[]> {
  if (isGlb(bytes)) return { value: [], problems: [] };
  const { value: json, problems } = jsonOf(bytes);
  if (json === null) return { value: null, problems };
  const found = new Map<string, GltfFile>();
  for (const { uri } of [...(json.buffers ?? []), ...(json.images ?? [])]) {
    if (uri === undefined || uri.startsWith('data:')) continue;
    const name = nameOf(uri);
    if (name === null) {
      return refused(
        '(file)',
        `expected files in the folder of the glTF, found '${uri.slice(0, 80)}'`,
      );
    }
    found.set(uri, { uri, name });
  }
  return { value: [...found.values()], problems: [] };
}

/** @param bytes .glb or .gltf; @param resources contents of `gltfFiles`, by uri */
export async function readGltf(
  bytes: Uint8Array,
  resources: Readonly<Record<string, Uint8Array>>,
): Promise<Parsed<GltfDocument>> {
  const { value: json, problems } = jsonOf(bytes);
  if (json === null) return { value: null, problems };
  try {
    const io = new WebIO().setLogger(new Logger(Logger.Verbosity.SILENT));
    io.registerExtensions([MeshQuantization]);
    const own = (content: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(content);
    const named = Object.entries(resources).map(([uri, content]) => [uri, own(content)] as const);
    const document = isGlb(bytes)
      ? await io.readBinary(own(bytes))
      : await io.readJSON({ json, resources: Object.fromEntries(named) });
    return { value: { document, json }, problems: [] };
  } catch (error) {
    return refused(
      '(file)',
      `expected a glTF 2.0 file, found a damaged one: ${(error as Error).message}`,
    );
  }
}

function isGlb(bytes: Uint8Array): boolean {
  return bytes.length >= 20 && viewOf(bytes).getUint32(0, true) === glbMagic;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** The checked JSON of a .gltf, or of the first chunk of a .glb. */
function jsonOf(bytes: Uint8Array): Parsed<GLTF.IGLTF> {
  let text = bytes;
  if (isGlb(bytes)) {
    const view = viewOf(bytes);
    const length = view.getUint32(12, true);
    if (view.getUint32(16, true) !== jsonChunk || 20 + length > bytes.length) {
      return refused('(file)', 'expected a GLB whose first chunk is JSON, found a damaged file');
    }
    text = bytes.subarray(20, 20 + length);
  }
  const json = parsedJson(new TextDecoder().decode(text));
  if (typeof json !== 'object' || json === null || !('asset' in json)) {
    const expected = 'expected glTF (JSON with an asset) or GLB, found something else';
    return refused('(file)', expected);
  }
  const problem = problemOf(json as GLTF.IGLTF);
  return problem === null
    ? { value: json as GLTF.IGLTF, problems: [] }
    : refused('(file)', problem);
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function problemOf(json: GLTF.IGLTF): string | null {
  const version = String(json.asset.version);
  if (!version.startsWith('2.')) return `expected glTF 2.0, found version ${version}`;
  const unknown = (json.extensionsRequired ?? []).filter(
    (name) => name !== 'KHR_mesh_quantization',
  );
  if (unknown.length > 0) {
    const help = 'export without compression, or convert it with gltf-transform';
    return `expected no extension that is required, found ${unknown.join(', ')}: ${help}`;
  }
  let elements = 0;
  for (const { count } of json.accessors ?? []) {
    elements += Number.isSafeInteger(count) && count >= 0 ? count : Infinity;
  }
  if (!(elements <= maxElements)) {
    return `expected at most ${maxElements} elements in all accessors, found ${elements}`;
  }
  const outside = (json.accessors ?? []).findIndex((accessor) => !isInView(accessor, json));
  if (outside < 0) return null;
  return `expected the elements of accessor ${outside} in its buffer view, found too many: the file is damaged`;
}

/** Whether a view has the bytes of an accessor; one without a view holds zeros. */
function isInView(
  { bufferView, byteOffset = 0, componentType, type, count }: GLTF.IAccessor,
  json: GLTF.IGLTF,
): boolean {
  if (bufferView === undefined || count === 0) return true;
  const view = json.bufferViews?.[bufferView];
  const size = (componentBytes[componentType] ?? NaN) * (componentsOf[type] ?? NaN);
  return (
    view !== undefined &&
    byteOffset + (count - 1) * (view.byteStride ?? size) + size <= view.byteLength
  );
}

const componentBytes: Record<number, number> = {
  5120: 1,
  5121: 1,
  5122: 2,
  5123: 2,
  5125: 4,
  5126: 4,
};
const componentsOf: Record<string, number> = {
  SCALAR: 1,
  VEC2: 2,
  VEC3: 3,
  VEC4: 4,
  MAT2: 4,
  MAT3: 9,
  MAT4: 16,
};

/** A relative name that stays in the folder; null: another one. */
function nameOf(uri: string): string | null {
  try {
    const name = decodeURIComponent(uri).replaceAll('\\', '/');
    const isOutside = /^[a-z][a-z0-9+.-]*:|^\//i.test(name) || name.split('/').includes('..');
    return isOutside ? null : name;
  } catch {
    return null;
  }
}
