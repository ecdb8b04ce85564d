// A learned model's file as native-workers/core/learned/learnedFile.h describes it, of round elements alone.
import type { LearnedHeader } from '#contract/worker/learnedModel.ts';

export interface RoundElement {
  meanM: readonly [number, number, number];
  sigmaM: number;
  permeability: number;
  support: number;
}

const properties = [
  ...['float x', 'float y', 'float z', 'uchar red', 'uchar green', 'uchar blue'],
  ...['xx', 'xy', 'xz', 'yy', 'yz', 'zz'].map((name) => `float covariance_${name}`),
  ...['float permeability', 'uint hits', 'uint misses', 'uint support'],
  ...['float reflectance', 'float reflectance_sigma', 'ushort class'],
];
const rowBytes = 12 + 3 + 24 + 26;

export function learnedPly(elements: readonly RoundElement[]): Buffer {
  const header: LearnedHeader = {
    ...{ version: 1, kind: 'voxel', elements: elements.length, surfaceVertices: 0, points: 0 },
    ...{ originM: [0, 0, 0], counting: 'owner', mahalanobisLimit: 2 },
    ...{ surfaceSigmaM: 0, incidenceSigmaM: 0, pointRadiusM: 0.01 },
    ...{ reflectanceScale: 'assumed', classes: ['grass'], logHashes: [], seed: 1, engine: 'test' },
    parameters: { voxelM: 0.3 },
  };
  const parts = JSON.stringify(header).match(/.{1,200}/gs) ?? [];
  const lines = [
    ...['ply', 'format binary_little_endian 1.0', 'comment Understory learned model 1'],
    ...parts.map((part) => `comment json ${part}`),
    `element vertex ${elements.length}`,
    ...properties.map((property) => `property ${property}`),
    'end_header\n',
  ];
  const rows = Buffer.alloc(rowBytes * elements.length);
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
  return Buffer.concat([Buffer.from(lines.join('\n')), rows]);
}
