// A name under which an edited scenario can be saved.

/** Beside a file of one's own with '-copy'; of a sample in the data folder's `scenarios`. */
export function proposedFile(file: string, isSample: boolean, dataFolder: string): string {
  const name = file.split(/[\\/]/).at(-1) ?? '';
  const [, stem = 'scene', ending = '.understory.yaml'] =
    /^(.*?)((?:\.understory)?\.(?:ya?ml|json))$/.exec(name) ?? [];
  if (isSample || file === name) return `${dataFolder}/scenarios/my-${stem}${ending}`;
  const folder = file.slice(0, -name.length);
  const number = /-copy(?:-(\d+))?$/.exec(stem);
  const base = stem.replace(/-copy(?:-\d+)?$/, '');
  const next = number === null ? '' : `-${Number(number[1] ?? 1) + 1}`;
  return `${folder}${base}-copy${next}${ending}`;
}
