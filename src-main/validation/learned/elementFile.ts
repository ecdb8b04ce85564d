// The file of a learned model of elements alone (native-workers/core/learned/learnedFile.h): written for scenes whose
// elements are known, and read for what was learned.
import type { LearnedHeader } from '#contract/worker/learnedModel.ts';

export interface RoundElement {
  meanM: readonly [number, number, number];
  sigmaM: number;
  permeability: number;
  support: number;
}

/** An element as it was learned. */
export interface ReadElement {
  meanM: [number, number, number];
  /** xx, xy, xz, yy, yz, zz. */
  covarianceM2: number[];
  permeability: number;
  hits: number;
  misses: number;
}

const properties = [
  ...['float x', 'float y', 'float z', 'uchar red', 'uchar green', 'uchar blue'],
  ...['xx', 'xy', 'xz', 'yy', 'yz', 'zz'].map((name) => `float covariance_${name}`),
  ...['float permeability', 'uint hits', 'uint misses', 'uint support'],
  ...['float reflectance', 'float reflectance_sigma', 'ushort class'],
];
const offsets = { covariance: 15, permeability: 39, hits: 43, misses: 47, support: 51 } as const;
const reflectanceOffset = 55;
const rowBytes = 12 + 3 + 24 + 26;
const endOfHeader = 'end_header\n';

/** Elements about an origin of zero; they end at twice their deviation. */
export function elementFile(elements: readonly RoundElement[]): Uint8Array {
  const header: LearnedHeader = {
    version: 1,
    kind: 'voxel',
    elements: elements.length,
    surfaceVertices: 0,
    points: 0,
    originM: [0, 0, 0],
    counting: 'owner',
    mahalanobisLimit: 2,
    surfaceSigmaM: 0,
    incidenceSigmaM: 0,
    pointRadiusM: 0.01,
    reflectanceScale: 'assumed',
    classes: ['grass'],
    logHashes: [],
    seed: 1,
    engine: 'test',
    parameters: { voxelM: 0.3 },
  };
  const parts = JSON.stringify(header).match(/.{1,200}/gs) ?? [];
  const lines = [
    ...['ply', 'format binary_little_endian 1.0', 'comment Understory learned model 1'],
    ...parts.map((part) => `comment json ${part}`),
    `element vertex ${elements.length}`,
    ...properties.map((property) => `property ${property}`),
    endOfHeader,
  ];
  const head = new TextEncoder().encode(lines.join('\n'));
  const bytes = new Uint8Array(head.length + rowBytes * elements.length);
  bytes.set(head);
  const view = new DataView(bytes.buffer, head.length);
  for (const [index, { meanM, sigmaM, permeability, support }] of elements.entries()) {
    const at = rowBytes * index;
    const variance = sigmaM * sigmaM;
    const floats: [number, number][] = [
      ...meanM.map((m, axis): [number, number] => [4 * axis, m]),
      ...([0, 12, 20] as const).map((diagonal): [number, number] => [
        offsets.covariance + diagonal,
        variance,
      ]),
      [offsets.permeability, permeability],
      [reflectanceOffset, 0.5],
    ];
    for (const [offset, value] of floats) view.setFloat32(at + offset, value, true);
    view.setUint32(at + offsets.support, support, true);
  }
  return bytes;
}

/** The elements of a file that has nothing else. @throws RangeError for other files */
export function readElements(bytes: Uint8Array): ReadElement[] {
  const text = new TextDecoder('latin1').decode(bytes);
  const end = text.indexOf(endOfHeader) + endOfHeader.length;
  const head = text.slice(0, end);
  const count = Number(/element vertex (\d+)/.exec(head)?.[1] ?? NaN);
  const found = head.match(/^property .*$/gm)?.map((line) => line.slice('property '.length)) ?? [];
  if (found.join() !== properties.join() || bytes.length !== end + count * rowBytes) {
    throw new RangeError('expected a learned model of elements alone');
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset + end);
  return Array.from({ length: count }, (_, index) => {
    const at = rowBytes * index;
    const floats = (from: number, length: number): number[] =>
      Array.from({ length }, (_unused, n) => view.getFloat32(at + from + 4 * n, true));
    const [x = NaN, y = NaN, z = NaN] = floats(0, 3);
    return {
      meanM: [x, y, z],
      covarianceM2: floats(offsets.covariance, 6),
      permeability: view.getFloat32(at + offsets.permeability, true),
      hits: view.getUint32(at + offsets.hits, true),
      misses: view.getUint32(at + offsets.misses, true),
    };
  });
}
