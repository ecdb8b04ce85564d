// The text of a scenario whose trees are those of a list, scanned from the positions of a tripod.
import type { seasons } from '#contract/documents/species.ts';

export interface PlotForm {
  /** CSV of an inventory; absolute on the host. */
  treeList: string;
  name: string;
  /** In the coordinates of the list. */
  centreM: readonly [number, number];
  /** Edge of the square plot. */
  sizeM: number;
  season: (typeof seasons)[number];
  /** Positions of the tripod: the centre, or the centre and four about it. */
  positions: 1 | 5;
}

/** Ground beyond the plot on each side, so that beams that leave it meet something. */
const marginM = 10;
/** Corners of the tripod's square as a share of half of the plot. */
const cornerShare = 0.6;
/** Farther from zero, places lose millimetres in single precision: the scene gets an origin. */
const farM = 10_000;

/** YAML of version 2. Numbers in metres. */
export function plotScenario(form: PlotForm): string {
  const { treeList, name, centreM, sizeM, season, positions } = form;
  const groundM = sizeM + 2 * marginM;
  const isFar = centreM.some((value) => Math.abs(value) > farM);
  const lines = [
    `# Trees of ${treeList.split(/[\\/]/).at(-1) ?? treeList}; the survey scans them from a tripod.`,
    'understory: 2',
    `name: ${JSON.stringify(name)}`,
    'seed: 1',
    '',
    'scene:',
    ...(isFar ? [`  origin: [${pair(centreM)}, 0]`] : []),
    '  materials:',
    "    litter: { reflectance: 0.48, colour: '#7a6244' } # at 1550 nm",
    `  ground: { kind: plane, centreM: [${pair(centreM)}], sizeM: [${groundM}, ${groundM}], material: litter }`,
    '  stands:',
    '    - kind: list',
    '      name: tree',
    `      file: ${JSON.stringify(treeList)}`,
    `      season: ${season}`,
    '',
    'sensors:',
    '  - { name: tripod, sensor: vz-400i, rateHz: 240, mount: { positionM: [0, 0, 1.8] } }',
    '',
    'survey:',
    '  kind: positions',
    '  sensor: tripod',
    '  positions:',
    ...placesOf(centreM, sizeM, positions).map(
      ({ name: place, atM }) =>
        `    - { name: ${place}, positionM: [${pair(atM)}, 0], headStepDeg: 0.4 }`,
    ),
    '',
  ];
  return lines.join('\n');
}

function placesOf(
  [xM, yM]: readonly [number, number],
  sizeM: number,
  positions: 1 | 5,
): { name: string; atM: [number, number] }[] {
  const awayM = (cornerShare * sizeM) / 2;
  const corners = [
    { name: 'south-west', atM: [xM - awayM, yM - awayM] as [number, number] },
    { name: 'south-east', atM: [xM + awayM, yM - awayM] as [number, number] },
    { name: 'north-east', atM: [xM + awayM, yM + awayM] as [number, number] },
    { name: 'north-west', atM: [xM - awayM, yM + awayM] as [number, number] },
  ];
  return [{ name: 'centre', atM: [xM, yM] }, ...(positions === 5 ? corners : [])];
}

function pair([xM, yM]: readonly [number, number]): string {
  return `${Number(xM.toFixed(3))}, ${Number(yM.toFixed(3))}`;
}
