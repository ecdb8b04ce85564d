// Files that a mesh file names: material files of an OBJ, images of those and of a PLY, by the rules of the native
// reader (native-workers/core/scene/readers/meshFile.cpp): names are relative to the folder of the mesh and stay in it.

/** Images that a material file (MTL) names by map_Kd and map_d, each once, as it names them. */
export function mtlImages(text: string): string[] {
  const names = text.split('\n').flatMap((line) => {
    const [, rest] = /^[ \t\r\v\f]*map_(?:Kd|d)[ \t]+(.*?)[ \t\r\v\f]*$/.exec(line) ?? [];
    return rest === undefined ? [] : [withoutOptions(rest)];
  });
  return [...new Set(names)].filter((name) => name !== '');
}

/** Images that the header of a PLY file names by `comment TextureFile`, each once. @param text from its beginning */
export function plyImages(text: string): string[] {
  const names: string[] = [];
  for (const line of text.split('\n')) {
    if (line.trim() === 'end_header') break;
    const [, name] = /^[ \t]*comment[ \t]+TextureFile[ \t]+(.*?)[ \t\r]*$/.exec(line) ?? [];
    if (name !== undefined && name !== '') names.push(name);
  }
  return [...new Set(names)];
}

/**
 * Name of an image as seen from the folder of the mesh; null where it leads out of that folder: such are not read.
 * @param mtl name of the material file that names it, or ''
 */
export function imageBeside(mtl: string, image: string): string | null {
  const folder = mtl.includes('/') ? `${mtl.slice(0, mtl.lastIndexOf('/'))}/` : '';
  // Why: programs on Windows write names with backslashes.
  return nameInside(folder + image.replaceAll('\\', '/'));
}

/** A name without `.` and `..`; null where it is absolute, leads out of its folder, or names none. */
export function nameInside(name: string): string | null {
  if (name.startsWith('/')) return null;
  const parts: string[] = [];
  for (const part of name.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  return parts.length === 0 ? null : parts.join('/');
}

/** Options before the name of an image, and how many values each has. */
const options: Record<string, number> = {
  '-blendu': 1,
  '-blendv': 1,
  '-boost': 1,
  '-bm': 1,
  '-cc': 1,
  '-clamp': 1,
  '-imfchan': 1,
  '-mm': 2,
  '-o': 3,
  '-s': 3,
  '-t': 3,
  '-texres': 1,
  '-type': 1,
};

function withoutOptions(rest: string): string {
  let left = rest;
  for (;;) {
    const [, option = ''] = /^(\S+)/.exec(left) ?? [];
    const values = Object.hasOwn(options, option) ? (options[option] ?? 0) : 0;
    if (values === 0) return left;
    left = withoutWord(left);
    for (let value = 0; value < values; value += 1) {
      // -o, -s and -t have one to three numbers.
      const [, word = ''] = /^(\S+)/.exec(left) ?? [];
      if (value > 0 && !/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(word)) break;
      left = withoutWord(left);
    }
  }
}

function withoutWord(text: string): string {
  return text.replace(/^\S+[ \t\r\v\f]*/, '');
}
