// The arrows of native-workers: what the sources of a folder may include besides their own files. Why a check of its
// own: every folder has the same include path, so that no compiler refuses an arrow that points upwards.

/** Folders of core, each of which may include those before it and the headers beside them. */
const coreOrder = [
  ...['core/maths', 'core/random', 'core/sensor', 'core/optics', 'core/scene', 'core/plants'],
  ...[
    'core/voxels',
    'core/learned',
    'core/assembly',
    'core/detail',
    'core/returns',
    'core/packing',
  ],
  'core/weather',
];
const coreArrows = coreOrder.map((folder, index) => [
  folder,
  ['core', 'contract', ...coreOrder.slice(0, index)],
]);

/**
 * Folder -> the folders and libraries that it may include; `core` of others means all of coreOrder. A folder that
 * is not listed here belongs to its parent.
 */
export const nativeArrows: Record<string, readonly string[]> = {
  contract: [],
  core: ['contract'],
  ...(Object.fromEntries(coreArrows) as Record<string, string[]>),
  aim: ['core', 'contract'],
  surfaces: ['core', 'contract'],
  'surfaces/embree': ['core', 'contract', 'surfaces', 'embree', 'tbb'],
  pulses: ['core', 'contract', 'aim', 'surfaces'],
  'core/log': ['core', 'contract', 'core/maths', 'protocol'],
  learn: ['core', 'contract', 'tbb'],
  rows: ['core', 'contract', 'aim', 'surfaces', 'pulses'],
  // Why no more: a map is made from what a sensor reports and a vehicle estimates, never from truth.
  mapping: ['core', 'contract'],
  jobs: [
    ...['core', 'contract', 'aim', 'surfaces', 'surfaces/embree', 'pulses', 'rows', 'mapping'],
    'tbb',
  ],
  render: ['core', 'contract', 'surfaces', 'surfaces/embree', 'tbb'],
  truth: ['core', 'contract', 'surfaces', 'surfaces/embree', 'jobs'],
  protocol: ['contract'],
  'bench/raw': [
    ...['core', 'contract', 'aim', 'surfaces', 'surfaces/embree', 'pulses', 'rows', 'jobs'],
    'embree',
  ],
  bench: ['core', 'aim', 'surfaces', 'surfaces/embree', 'pulses', 'rows', 'jobs', 'bench/raw'],
  ranks: ['core', 'contract', 'jobs', 'protocol', 'scanWorker'],
  scanWorker: [
    ...['core', 'contract', 'surfaces', 'surfaces/embree', 'pulses', 'rows', 'jobs', 'render'],
    ...['mapping', 'protocol', 'bench/raw', 'learn', 'truth'],
  ],
};

export interface UpwardInclude {
  /** From 1. */
  line: number;
  include: string;
  /** The folder or library that the file may not include. */
  target: string;
}

/** The includes of a file that the table does not allow. `file`: its path below native-workers. */
export function upwardIncludes(file: string, text: string): UpwardInclude[] {
  const own = folderOf(file);
  return text.split('\n').flatMap((content, index) => {
    const [, quoted, library] = /^#include (?:"([^"]+)"|<([^>]+)>)/.exec(content) ?? [];
    const include = quoted ?? library;
    const target = quoted === undefined ? libraryOf(library) : folderOf(quoted);
    if (include === undefined || target === null || target === own) return [];
    const allowed = own === null ? [] : (nativeArrows[own] ?? []);
    const isAllowed =
      allowed.includes(target) ||
      (!own?.startsWith('core') && target.startsWith('core/') && allowed.includes('core'));
    return isAllowed ? [] : [{ line: index + 1, include, target }];
  });
}

function libraryOf(include: string | undefined): string | null {
  return /^(?:oneapi\/)?(embree|tbb)\d*\//.exec(include ?? '')?.[1] ?? null;
}

/** The listed folder that a path lies in; null for a path outside of native-workers. */
function folderOf(file: string): string | null {
  const folders = Object.keys(nativeArrows).filter((folder) => file.startsWith(`${folder}/`));
  return folders.sort((a, b) => b.length - a.length)[0] ?? null;
}
