// Files of other programs that become scenarios, by scenario.import.
import { encode } from 'fast-png';
import { join } from 'node:path';
import { requests } from '#contract/host/methods.ts';
import type { ImportFormat } from '#contract/host/importMethods.ts';
import { importScenario } from '#services/scenarios/importScenario.ts';
import { glbOf, treeGltf } from '#test/domain/import/glb.ts';
import { geoTiff } from '#test/domain/import/terrain/geoTiffFile.ts';
import { callContext } from '#test/support/context.ts';
import { bytesOf, type Input, type Target } from '../target.ts';
import { importPorts } from './ports.ts';

function importer(format: ImportFormat, seeds: Input[], isFixed?: Target['isFixed']): Target {
  return {
    name: format,
    seeds: () => seeds,
    ...(isFixed && { isFixed }),
    open: () =>
      Promise.resolve(async (file, out) => {
        const request = { files: [file], out: join(out, 'x.understory.yaml'), format };
        await importScenario(importPorts, requests['scenario.import'].parse(request), callContext);
      }),
  };
}

function gltfSeeds(): Input[] {
  const { json, bin } = treeGltf();
  const beside = { ...json, buffers: [{ byteLength: bin.length, uri: 'tree.bin' }] };
  const inline = `data:application/octet-stream;base64,${Buffer.from(bin).toString('base64')}`;
  const within = { ...json, buffers: [{ byteLength: bin.length, uri: inline }] };
  const sparse = {
    ...beside,
    accessors: json.accessors.map((accessor, at) =>
      at > 0
        ? accessor
        : {
            ...accessor,
            sparse: {
              count: 1,
              indices: { bufferView: 2, componentType: 5123 },
              values: { bufferView: 0 },
            },
          },
    ),
  };
  return [
    { 'tree.glb': glbOf(json, bin) },
    ...[beside, sparse].map((document) => {
      return { 'tree.gltf': bytesOf(JSON.stringify(document)), 'tree.bin': bin };
    }),
    { 'tree.gltf': bytesOf(JSON.stringify(within)) },
  ];
}

const mesh = bytesOf('mtllib t.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl bark\nf 1 2 3\n');
const material = bytesOf('newmtl bark\nKd 0.2 0.3 0.1\nmap_Kd bark.png\n');
const meshFiles = {
  'tree.obj': mesh,
  't.mtl': material,
  'bark.png': new Uint8Array(encode({ width: 1, height: 1, data: new Uint8Array(4), channels: 4 })),
};

const mavsScene = {
  PathToMeshes: '.',
  'Surface Mesh': [{ Mesh: 'tree.obj', 'Rotate Y to Z': false }],
  Objects: [
    {
      Mesh: 'tree.obj',
      'Rotate Y to Z': true,
      Instances: [{ Position: [1, 2, 3], Scale: [2, 2, 2], 'Yaw-Pitch-Roll': [1, 0, 0] }],
      Random: {
        Number: 20,
        Polygon: [
          [-5, -50],
          [5, -50],
          [5, 50],
        ],
        Offset: [1, 0, -0.1],
        Scale: [1, 1.5],
        'Minimum Spacing': 2,
      },
    },
  ],
};

const part = (filters: string): string =>
  `<part><filter type="objloader"><param type="string" key="filepath" value="tree.obj"/></filter>${filters}</part>`;
const filters = `<filter type="rotate"><param type="rotation" key="rotation"><rot axis="z" angle_deg="45"/></param></filter>
<filter type="scale"><param type="double" key="scale" value="0.5"/></filter>
<filter type="translate"><param type="vec3" key="offset" value="474;547;10"/></filter>`;
const heliosScene = bytesOf(
  `<?xml version="1.0"?><document><scene id="yard" name="Yard">${part(filters)}${part('')}</scene></document>`,
);
const platforms = bytesOf(
  '<document><platform id="tripod"><scannerMount x="0" y="0" z="1.5"/></platform><platform id="sr22"><scannerMount x="0.2" y="0.5" z="0.7"/></platform></document>',
);
const heliosSurvey = (platform: string, scanner: string, legs: string): Uint8Array =>
  bytesOf(`<document><scannerSettings id="p" active="true" pulseFreq_hz="100000" headRotatePerSec_deg="10"/>
<platformSettings id="fly" movePerSec_m="30" z="100"/>
<survey name="s" scene="yard.xml#yard" platform="platforms.xml#${platform}" scanner="scanners.xml#${scanner}">${legs}</survey></document>`);
const leg = (x: number, settings: string): string =>
  `<leg><platformSettings ${settings} x="${x}" y="25.5"/><scannerSettings template="p" headRotateStart_deg="0" headRotateStop_deg="360"/></leg>`;

const grid =
  'ncols 4\nnrows 3\nxllcorner 500000\nyllcorner 5400000\ncellsize 10\nNODATA_value -9999\n1 2 3 4\n5 6 -9999 8\n9 10 11 12\n';

const trees =
  'id,x,y,z,species,height_m,crown_m,dbh_cm\nA1,474500.5,5474500,12,Fagus sylvatica,24,8,40\nA2,474510,5474507.25,12,Picea abies,30,6,35\n';

export const importTargets: Target[] = [
  importer('gltf', gltfSeeds()),
  importer(
    'geotiff',
    [
      geoTiff(),
      geoTiff({ tile: [16, 16], overviews: [2], isBigTiff: true }),
      geoTiff({ compression: 'lzw', predictor: 2, sample: 'int16', noData: '-9999' }),
      geoTiff({ compression: 'deflate', predictor: 3, bands: 2, isBigEndian: true }),
      geoTiff({ compression: 'zstd', rowsPerStrip: 3 }),
      geoTiff({ compression: 'packbits', isSparse: (_, y) => y === 1, rowsPerStrip: 4 }),
    ].map((bytes) => ({ 'a.tif': bytes })),
  ),
  importer('ascii-grid', [
    { 'a.asc': bytesOf(grid), 'a.prj': bytesOf('PROJCS["x"]') },
    {
      'a.asc': bytesOf(grid.replace('cellsize 10', 'dx 10\ndy 20').replaceAll('corner', 'center')),
    },
  ]),
  importer('mavs', [{ 'scene.json': bytesOf(JSON.stringify(mavsScene)), ...meshFiles }]),
  importer('helios', [
    { 'yard.xml': heliosScene, ...meshFiles },
    {
      'survey.xml': heliosSurvey(
        'tripod',
        'riegl_vz400',
        leg(1, 'onGround="true"') + leg(9, 'onGround="true"'),
      ),
      'yard.xml': heliosScene,
      'platforms.xml': platforms,
      ...meshFiles,
    },
    {
      'survey.xml': heliosSurvey(
        'sr22',
        'leica_als50',
        leg(1, 'template="fly"') + leg(99, 'template="fly"'),
      ),
      'yard.xml': heliosScene,
      'platforms.xml': platforms,
      ...meshFiles,
    },
  ]),
  importer('tree-list', [
    { 'trees.csv': bytesOf(trees) },
    { 'trees.csv': bytesOf(trees.replaceAll(',', ';').replaceAll('.', ',')) },
    { 'trees.csv': bytesOf(trees.replaceAll(',', '\t')) },
  ]),
];
