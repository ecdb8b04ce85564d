// Documents that people write, pictures of heights, trajectories, baked physics, OBJ with what lies beside it, headers of models, and
// frames of the wire.
import { encode } from 'fast-png';
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { UnderstoryError } from '#contract/errors.ts';
import type { Parsed } from '#contract/documents/problems.ts';
import { FrameReader } from '#contract/wire/frame.ts';
import { objUnderMap } from '#domain/import/geometry/objMap.ts';
import type { Matrix3 } from '#domain/import/geometry/placement.ts';
import { bakeText, createBakedRows, createBakeReader } from '#domain/physics/bakeText.ts';
import { readModelHeader } from '#domain/scene/learnedHeader.ts';
import { textJobs } from '#domain/scenario/textJobs.ts';
import { assetsFolder } from '#hosts/packageFolders.ts';
import { meshSummary } from '#services/documents/meshSummary.ts';
import { readSourceTrajectory } from '#services/logs/sourceTrajectory.ts';
import { projectRoot } from '#test/stages.ts';
import { bytesOf, type Input, type Target } from '../target.ts';
import { importPorts } from './ports.ts';

const kinds = {
  scenarios: 'scenario',
  sensors: 'sensor',
  plants: 'plant',
  species: 'species',
  campaigns: 'campaign',
} as const;

/** @throws UnderstoryError for problems; Error for neither a value nor problems */
function expectWhole({ value, problems }: Parsed<unknown>): void {
  if (value !== null && problems.length === 0) return;
  if (value === null && problems.length > 0) {
    throw new UnderstoryError('bad-input', 'the document has problems', { problems });
  }
  throw new Error('neither a value nor problems');
}

function samplesOf(folder: keyof typeof kinds): Input[] {
  const names = readdirSync(join(assetsFolder, folder)).filter((name) => name.endsWith('.yaml'));
  return names.map((name) => {
    const bytes = new Uint8Array(readFileSync(join(assetsFolder, folder, name)));
    return { [`${folder}/${name}`]: bytes };
  });
}

const documents: Target = {
  name: 'documents',
  seeds: () => (Object.keys(kinds) as (keyof typeof kinds)[]).flatMap(samplesOf),
  open: () =>
    Promise.resolve(async (file) => {
      const text = new TextDecoder().decode(await readFile(file));
      const folder = basename(join(file, '..')) as keyof typeof kinds;
      textJobs.upgrade(text);
      textJobs.referrals(text);
      const kind = kinds[folder];
      if (kind !== 'plant' && kind !== 'species') textJobs.edit(text, [], kind);
      expectWhole(textJobs.parse(text, kind));
    }),
};

const heights: Target = {
  name: 'heights-png',
  seeds: () => {
    const data = Uint16Array.from({ length: 35 }, (_, at) => 1000 * at);
    const png = encode({ width: 7, height: 5, data, channels: 1, depth: 16 });
    return [{ 'a.png': new Uint8Array(png) }];
  },
  open: () =>
    Promise.resolve(async (file) => {
      await importPorts.files.greyPicture(file);
      await importPorts.files.readGreyPicture(file, () => () => undefined);
    }),
};

const tum = Array.from({ length: 9 }, (_, at) => `${at / 10} ${at} 2 3 0 0 0 1`).join('\n');
const csv = `time_s,x_m,y_m,z_m,roll_deg,pitch_deg,yaw_deg\n0,1,2,3,0,0,5\n0.1,1,2,3,0,0,6\n0.2,2,2,3,1,1,7\n`;

const trajectories: Target = {
  name: 'trajectories',
  seeds: () => [
    { 'a.tum': bytesOf(`# poses\n${tum}\n`) },
    { 'a.csv': bytesOf(csv) },
    {
      'a.csv': bytesOf('time_ns,x_m,y_m,z_m,qx,qy,qz,qw\n0,1,2,3,0,0,0,1\n1000000,1,2,3,0,0,0,1\n'),
    },
  ],
  open: () =>
    Promise.resolve(async (file) => {
      const { signal } = new AbortController();
      await readSourceTrajectory(importPorts.files, file, signal);
    }),
};

const bakes: Target = {
  name: 'bake',
  seeds: () => {
    const rows = createBakedRows('stone');
    for (const z of [3, 2.9, 2.7, 2.7, 2.7, 2.4]) {
      rows.add({ positionM: [1, 2, z], rotation: [0, 0, 0, 1] });
    }
    const { text } = rows.end();
    return [{ 'a.csv': bytesOf(bakeText('0'.repeat(64), [text, text.replaceAll('stone', 'b')])) }];
  },
  open: () =>
    Promise.resolve(async (file) => {
      const reader = createBakeReader(1000);
      await importPorts.files.textPieces(file, (text) => reader.take(text));
      expectWhole(reader.finish());
    }),
};

/** Turns the corners of faces, too. */
const mirror: Matrix3 = [-1, 0, 0, 0, 1, 0, 0, 0, 1];

const objs: Target = {
  name: 'obj',
  seeds: () => [
    {
      'a.obj': bytesOf(
        'mtllib a.mtl b.mtl\no tree\nv 0 0 0\nv 1 0 0 1\nv 0 1 0\nvt 0 0\nvn 0 0 1\ng leaf\nusemtl bark\nf 1/1/1 2/1/1 3/1/1\nf -3 -2 -1\n',
      ),
      'a.mtl': bytesOf('newmtl bark\nKd 0.2 0.3 0.1\nmap_Kd -s 1 1 1 bark.png\nmap_d leaf.png\n'),
    },
  ],
  open: () =>
    Promise.resolve(async (file) => {
      await meshSummary(importPorts.files, file);
      objUnderMap(await readFile(file), mirror);
    }),
};

const models: Target = {
  name: 'model-header',
  seeds: () => {
    const file = join(projectRoot, 'test/fuzz/corpus/learned/hybrid.ply');
    return [{ 'a.ply': new Uint8Array(readFileSync(file)) }];
  },
  open: () => Promise.resolve(async (file) => void readModelHeader(await readFile(file))),
};

const frames: Target = {
  name: 'wire-frames',
  seeds: () => {
    const folder = join(projectRoot, 'test/fuzz/corpus/frames');
    const files = readdirSync(folder).map((name) => readFileSync(join(folder, name)));
    return files.map((bytes) => ({ 'a.frame': new Uint8Array(bytes) }));
  },
  open: () =>
    Promise.resolve(async (file) => {
      const bytes = new Uint8Array(await readFile(file));
      const reader = new FrameReader();
      for (let from = 0; from < bytes.length; from += 100) {
        reader.push(bytes.subarray(from, from + 100));
      }
      if (!reader.isIdle) throw new UnderstoryError('protocol', 'the stream was cut off');
    }),
};

export const documentTargets = [documents, heights, trajectories, bakes, objs, models, frames];
