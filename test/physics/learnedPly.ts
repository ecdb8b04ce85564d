// A learned model's file as native-workers/core/learned/learnedFile.h describes it: round elements, and a surface.
import type { LearnedHeader } from '#contract/worker/learnedModel.ts';

export interface RoundElement {
  meanM: readonly [number, number, number];
  sigmaM: number;
  permeability: number;
  support: number;
}

export interface LearnedTriangles {
  verticesM: readonly (readonly [number, number, number])[];
  triangles: readonly (readonly [number, number, number])[];
}

const position = ['float x', 'float y', 'float z', 'uchar red', 'uchar green', 'uchar blue'];
const covariance = ['xx', 'xy', 'xz', 'yy', 'yz', 'zz'].map((name) => `float covariance_${name}`);
const observed = [
  ...['float permeability', 'uint hits', 'uint misses', 'uint support'],
  ...['float reflectance', 'float reflectance_sigma', 'ushort class'],
];
const positionBytes = 12 + 3;
const covarianceBytes = 24;
const observedBytes = 26;

/** Triangles are opaque, seen by 50 beams. */
export function learnedPly(
  elements: readonly RoundElement[],
  { verticesM, triangles }: LearnedTriangles = { verticesM: [], triangles: [] },
): Buffer {
  const isVolume = elements.length > 0;
  const properties = [...position, ...(isVolume ? covariance : []), ...observed];
  const rowBytes = positionBytes + (isVolume ? covarianceBytes : 0) + observedBytes;
  const surfaceVertices = verticesM.length;
  const header: LearnedHeader = {
    version: 1,
    kind: 'voxel',
    elements: elements.length,
    surfaceVertices,
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
    `element vertex ${elements.length + verticesM.length}`,
    ...properties.map((property) => `property ${property}`),
    ...faceLines(triangles.length),
    'end_header\n',
  ];
  const rows = Buffer.alloc(rowBytes * (elements.length + verticesM.length));
  for (const [index, { meanM, sigmaM, permeability, support }] of elements.entries()) {
    const at = rowBytes * index;
    const variance = sigmaM * sigmaM;
    const floats: [number, number][] = [
      ...meanM.map((m, axis): [number, number] => [4 * axis, m]),
      ...([15, 27, 35] as const).map((offset): [number, number] => [offset, variance]),
      [39, permeability],
      [55, 0.5],
    ];
    for (const [offset, value] of floats) rows.writeFloatLE(value, at + offset);
    rows.writeUInt32LE(support, at + 51);
  }
  for (const [index, vertexM] of verticesM.entries()) {
    const at = rowBytes * (elements.length + index);
    for (const [axis, value] of vertexM.entries()) rows.writeFloatLE(value, at + 4 * axis);
  }
  return Buffer.concat([Buffer.from(lines.join('\n')), rows, ...triangles.map(faceRow)]);
}

function faceLines(triangles: number): string[] {
  if (triangles === 0) return [];
  const faces = ['list uchar int vertex_indices', ...observed];
  return [`element face ${triangles}`, ...faces.map((property) => `property ${property}`)];
}

function faceRow(corners: readonly number[]): Buffer {
  const row = Buffer.alloc(13 + observedBytes);
  row.writeUInt8(3, 0);
  for (const [index, corner] of corners.entries()) row.writeInt32LE(corner, 1 + 4 * index);
  row.writeUInt32LE(50, 13 + 4); // hits
  row.writeUInt32LE(50, 13 + 12); // support
  row.writeFloatLE(0.5, 13 + 16);
  return row;
}
