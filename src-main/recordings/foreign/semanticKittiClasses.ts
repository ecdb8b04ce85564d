// Names of the classes of SemanticKITTI (Behley et al. 2019), or those that a folder states itself.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readWhole } from '#files/regularFile.ts';

const benchmark: Record<number, string> = {
  0: 'unlabeled',
  1: 'outlier',
  10: 'car',
  11: 'bicycle',
  13: 'bus',
  15: 'motorcycle',
  16: 'on-rails',
  18: 'truck',
  20: 'other-vehicle',
  30: 'person',
  31: 'bicyclist',
  32: 'motorcyclist',
  40: 'road',
  44: 'parking',
  48: 'sidewalk',
  49: 'other-ground',
  50: 'building',
  51: 'fence',
  52: 'other-structure',
  60: 'lane-marking',
  70: 'vegetation',
  71: 'trunk',
  72: 'terrain',
  80: 'pole',
  81: 'traffic-sign',
  99: 'other-object',
  252: 'moving-car',
  253: 'moving-bicyclist',
  254: 'moving-person',
  255: 'moving-motorcyclist',
  256: 'moving-on-rails',
  257: 'moving-bus',
  258: 'moving-truck',
  259: 'moving-other-vehicle',
};

/** Some hundred bytes for each of 65,536 labels. */
const maxLabelBytes = 1e7;

/** Names by label; '' for labels without one. */
export async function semanticKittiClasses(folder: string): Promise<string[]> {
  const file = join(folder, 'semantic-kitti.yaml');
  const bytes = existsSync(file) ? await readWhole(file, { maxBytes: maxLabelBytes }) : null;
  const stated = bytes === null ? null : labelsIn(new TextDecoder().decode(bytes));
  const names = new Map(
    stated ?? Object.entries(benchmark).map(([id, name]) => [Number(id), name]),
  );
  const last = Math.max(0, ...names.keys());
  return Array.from({ length: last + 1 }, (_, id) => names.get(id) ?? '');
}

/** The lines `N: name` of the mapping `labels`. */
function labelsIn(text: string): [number, string][] | null {
  const block = /^labels:[ \t]*\n((?:[ \t]+.*\n?)*)/m.exec(text)?.[1];
  if (block === undefined) return null;
  return [...block.matchAll(/^\s+(\d{1,5})\s*:\s*["']?([^"'#\n]*?)["']?\s*$/gm)].map(
    ([, id, name = '']) => [Number(id), name],
  );
}
