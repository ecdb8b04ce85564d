// glTF 2.0 (Khronos) read into the document of @gltf-transform/core, which gets only what the schema and the checks let
// through. The library is synchronous: hosts decode on another thread.
import { GLB_BUFFER, type Document, type GLTF, WebIO, Logger } from '@gltf-transform/core';
import {
  EXTMeshGPUInstancing,
  EXTMeshoptCompression,
  KHRDracoMeshCompression,
  KHRMeshQuantization,
} from '@gltf-transform/extensions';
import { MeshoptDecoder } from 'meshoptimizer/decoder';
import { parseWith, type Parsed } from '#contract/documents/problems.ts';
import { refused } from '../table.ts';
import { gltfProblems } from './gltfChecks.ts';
import { extensionProblem, isApplied } from './gltfExtensions.ts';
import { gltfSchema, type Gltf } from './gltfSchema.ts';

/** A file beside the glTF: as its folder names it, and as the glTF does, in one spelling or several. */
export interface GltfFile {
  name: string;
  uris: string[];
  /** It is an image: without it the rest is read. */
  isImage: boolean;
}

/** Makes the decoder of Draco (createDecoderModule of draco3dgltf). */
export type LoadDraco = () => Promise<unknown>;

export interface GltfDocument {
  document: Document;
  json: Gltf;
}

/** Letters of the JSON at most: a text of V8 holds half a gigabyte. */
const maxJsonBytes = 2 ** 28;
const glbMagic = 0x46546c67;
const jsonChunk = 0x4e4f534a;
const binaryChunk = 0x004e4942;

/** The buffers and images beside a .gltf or .glb, each once. */
export function gltfFiles(bytes: Uint8Array): Parsed<GltfFile[]> {
  const { value: json, problems } = jsonOf(bytes);
  if (json === null) return { value: null, problems };
  const found = new Map<string, { uris: Set<string>; isImage: boolean }>();
  for (const list of ['buffers', 'images'] as const) {
    for (const [at, { uri }] of (json[list] ?? []).entries()) {
      if (uri === undefined || uri.startsWith('data:')) continue;
      const name = nameOf(uri);
      if (name === null) {
        const expected = 'expected a file in the folder of the glTF';
        return refused(`${list}[${at}].uri`, `${expected}, found '${uri.slice(0, 80)}'`);
      }
      const file = found.get(name) ?? { uris: new Set<string>(), isImage: list === 'images' };
      file.uris.add(uri);
      found.set(name, file);
    }
  }
  const files = [...found].map(([name, { uris, isImage }]) => ({ name, uris: [...uris], isImage }));
  return { value: files, problems: [] };
}

/**
 * @param bytes .glb or .gltf @param resources contents of `gltfFiles`, by name; of a missing image none
 * @param loadDraco left out: meshes that Draco compressed are refused
 */
export async function readGltf(
  bytes: Uint8Array,
  resources: Readonly<Record<string, Uint8Array>>,
  loadDraco?: LoadDraco,
): Promise<Parsed<GltfDocument>> {
  const { value: json, problems } = jsonOf(bytes);
  if (json === null) return { value: null, problems };
  const contents = new Map<string, Uint8Array<ArrayBuffer>>();
  const binary = isGlb(bytes) ? binaryOf(bytes) : null;
  if (binary !== null) contents.set(GLB_BUFFER, shared(binary));
  for (const { uri } of [...(json.buffers ?? []), ...(json.images ?? [])]) {
    const name = uri === undefined || uri.startsWith('data:') ? null : nameOf(uri);
    const content = name === null ? undefined : resources[name];
    if (uri !== undefined && content !== undefined) contents.set(uri, shared(content));
  }
  for (const { uri } of json.images ?? []) {
    const isMissing = uri !== undefined && !uri.startsWith('data:') && !contents.has(uri);
    if (isMissing) contents.set(uri, new Uint8Array(0));
  }
  for (const [at, { uri = GLB_BUFFER, byteLength, extensions }] of (json.buffers ?? []).entries()) {
    if (extensions?.EXT_meshopt_compression?.fallback === true) continue;
    const length = contents.get(uri)?.length ?? 0;
    if (uri.startsWith('data:') || length >= byteLength) continue;
    return refused(`buffers[${at}]`, `expected ${byteLength} bytes, found ${length}`);
  }
  try {
    const io = new WebIO().setLogger(new Logger(Logger.Verbosity.SILENT));
    io.registerExtensions([
      KHRMeshQuantization,
      KHRDracoMeshCompression,
      EXTMeshoptCompression,
      EXTMeshGPUInstancing,
    ]);
    const used = json.extensionsUsed ?? [];
    if (used.includes('EXT_meshopt_compression')) {
      await MeshoptDecoder.ready;
      io.registerDependencies({ 'meshopt.decoder': MeshoptDecoder });
    }
    if (used.includes('KHR_draco_mesh_compression') && loadDraco !== undefined) {
      io.registerDependencies({ 'draco3d.decoder': await loadDraco() });
    }
    const document = await io.readJSON({
      json: stillOf(json),
      resources: Object.fromEntries(contents),
    });
    return { value: { document, json }, problems: [] };
  } catch {
    // Why nothing of the library's text: it names its own functions.
    return refused(
      '(file)',
      'expected a whole glTF 2.0 file, found one whose data cannot be decoded',
    );
  }
}

/** Without a copy, where the library's type is met and numbers of four bytes begin at a multiple of four. */
function shared(content: Uint8Array): Uint8Array<ArrayBuffer> {
  return content.buffer instanceof ArrayBuffer && content.byteOffset % 4 === 0
    ? new Uint8Array(content.buffer, content.byteOffset, content.byteLength)
    : new Uint8Array(content);
}

/** Only the parts at rest. */
function stillOf(json: Gltf): GLTF.IGLTF {
  const meshes = json.meshes?.map((mesh) => ({
    ...mesh,
    primitives: mesh.primitives.map((primitive) => ({ ...primitive, targets: undefined })),
  }));
  // Later versions are read as 2.0, which the schema has checked that they allow.
  const asset = { ...json.asset, version: '2.0', minVersion: undefined };
  const moving = { animations: undefined, skins: undefined, cameras: undefined };
  const extensionsRequired = json.extensionsRequired?.filter(isApplied);
  const still = { ...json, asset, meshes, extensionsRequired, ...moving };
  // Why the cast: what is left out is undefined, and the library's type has enumerations for numbers.
  return still as unknown as GLTF.IGLTF;
}

function isGlb(bytes: Uint8Array): boolean {
  return bytes.length >= 20 && viewOf(bytes).getUint32(0, true) === glbMagic;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** The content of a chunk of a GLB, the first one from byte 12 on; null: it is of another type, or damaged. */
function chunkAt(bytes: Uint8Array, at: number, type: number): Uint8Array | null {
  if (at + 8 > bytes.length) return null;
  const view = viewOf(bytes);
  const length = view.getUint32(at, true);
  if (view.getUint32(at + 4, true) !== type || at + 8 + length > bytes.length) return null;
  return bytes.subarray(at + 8, at + 8 + length);
}

function binaryOf(bytes: Uint8Array): Uint8Array | null {
  const json = chunkAt(bytes, 12, jsonChunk);
  return json === null ? null : chunkAt(bytes, 20 + json.length, binaryChunk);
}

/** The checked JSON of a .gltf, or of the first chunk of a .glb. */
function jsonOf(bytes: Uint8Array): Parsed<Gltf> {
  const text = isGlb(bytes) ? chunkAt(bytes, 12, jsonChunk) : bytes;
  if (text === null) {
    return refused('(file)', 'expected a GLB whose first chunk is JSON, found a damaged file');
  }
  if (text.length > maxJsonBytes) {
    const expected = `expected JSON of at most ${maxJsonBytes} bytes, found ${text.length}`;
    return refused('(file)', `${expected}: save the buffers beside it, or as .glb`);
  }
  const json = parsedJson(new TextDecoder().decode(text));
  if (typeof json !== 'object' || json === null || !('asset' in json)) {
    const expected = 'expected glTF (JSON with an asset) or GLB, found something else';
    return refused('(file)', expected);
  }
  const parsed = parseWith(gltfSchema, json);
  if (parsed.value === null) return parsed;
  const problem = extensionProblem(parsed.value.extensionsRequired ?? []);
  if (problem !== null) return refused('extensionsRequired', problem);
  const problems = gltfProblems(parsed.value);
  return problems.length === 0 ? parsed : { value: null, problems };
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** A relative name that stays in the folder, in one spelling; null: another one. */
function nameOf(uri: string): string | null {
  try {
    const name = decodeURIComponent(uri).replaceAll('\\', '/');
    const parts = name.split('/').filter((part) => part !== '' && part !== '.');
    const isOutside = /^[a-z][a-z0-9+.-]*:|^\//i.test(name) || parts.includes('..');
    return isOutside || parts.length === 0 ? null : parts.join('/');
  } catch {
    return null;
  }
}
