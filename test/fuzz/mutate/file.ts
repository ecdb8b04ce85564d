// Changes of a file by the format that its name says; now and then of its bytes alone, whatever they are.
import type { Random } from '../random.ts';
import { mutatedBytes } from './bytes.ts';
import {
  mutatedFrame,
  mutatedGlb,
  mutatedHeaded,
  mutatedLog,
  mutatedOctree,
  mutatedPng,
  mutatedZip,
} from './containers.ts';
import { mutatedJson } from './json.ts';
import { mutatedMcap } from './mcap.ts';
import { mutatedText, mutatedXml } from './text.ts';

const encoder = new TextEncoder();

/** By the ending of a file's name. */
const byEnding: Record<string, (bytes: Uint8Array, random: Random) => Uint8Array> = {
  frame: mutatedFrame,
  gltf: asText(mutatedJson),
  glb: mutatedGlb,
  json: asText(mutatedJson),
  log: mutatedLog,
  mcap: mutatedMcap,
  npz: (bytes, random) => mutatedZip(bytes, random, mutatedFile),
  npy: (bytes, random) => mutatedHeaded(bytes, /\}.*\n/, random),
  pcd: (bytes, random) => mutatedHeaded(bytes, /DATA \w+\n/, random),
  octree: mutatedOctree,
  points: mutatedOctree,
  ply: (bytes, random) => mutatedHeaded(bytes, /end_header\n/, random),
  png: mutatedPng,
  understory: (bytes, random) => mutatedZip(bytes, random, mutatedFile),
  xml: asText(mutatedXml),
};
for (const ending of ['asc', 'csv', 'kitti', 'mtl', 'obj', 'tum', 'txt', 'yaml']) {
  byEnding[ending] = asText(mutatedText);
}

function asText(mutate: (text: string, random: Random) => string): (typeof byEnding)[string] {
  return (bytes, random) => encoder.encode(mutate(new TextDecoder().decode(bytes), random));
}

export function mutatedFile(name: string, bytes: Uint8Array, random: Random): Uint8Array {
  const ending = name.slice(name.lastIndexOf('.') + 1);
  const mutate = byEnding[ending];
  return mutate === undefined || random.oneIn(8)
    ? mutatedBytes(bytes, random)
    : mutate(bytes, random);
}
