// The contents of an OBJ file without its faces: names of materials as its statements `usemtl` give them and the native
// reader takes them (native-workers/core/scene/readers/objReader.cpp), the bounds of its vertices, and its material
// libraries. And the colours that such a library gives.

export interface ObjSummary {
  /** Each name once, in the order of the file. */
  materials: string[];
  /** Bounds of all vertices, in the file's unit and axes; null without any. */
  bounds: { min: [number, number, number]; max: [number, number, number] } | null;
  /** As the file names them. */
  libraries: string[];
}

/** Takes a file in pieces. */
export interface ObjSummaryReader {
  push(bytes: Uint8Array): void;
  end(): ObjSummary;
}

/** Longest statement that is looked at: a line without an end takes no memory. */
const maxLineBytes = 4096;

/** Reads an OBJ file. */
export function createObjSummary(): ObjSummaryReader {
  const names = new Set<string>();
  const libraries = new Set<string>();
  const min: [number, number, number] = [Infinity, Infinity, Infinity];
  const max: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  const decoder = new TextDecoder();
  let rest: Uint8Array = new Uint8Array(0);
  const readLine = (line: Uint8Array): void => {
    let start = 0;
    while (line[start] === space || line[start] === tab) start += 1;
    const isVertex =
      line[start] === letterV && (line[start + 1] === space || line[start + 1] === tab);
    // Why first the letter: nearly all other lines are faces and normals.
    if (!isVertex && line[start] !== letterU && line[start] !== letterM) return;
    const text = decoder.decode(line.subarray(start));
    if (isVertex) {
      takeVertex(text);
      return;
    }
    const [, name] = statement.exec(text) ?? [];
    if (name !== undefined) names.add(name);
    const [, library] = libraryStatement.exec(text) ?? [];
    if (library !== undefined) libraries.add(library);
  };
  const takeVertex = (text: string): void => {
    const [, ...values] = text.trim().split(/[ \t]+/, 4);
    for (const axis of [0, 1, 2] as const) {
      const value = Number(values[axis] ?? NaN);
      if (!Number.isFinite(value)) continue;
      min[axis] = Math.min(min[axis], value);
      max[axis] = Math.max(max[axis], value);
    }
  };
  return {
    push(bytes) {
      let from = 0;
      for (;;) {
        const end = bytes.indexOf(newLine, from);
        const piece = bytes.subarray(from, end === -1 ? bytes.length : end);
        const line = rest.length === 0 ? piece : joined(rest, piece);
        if (end === -1) {
          rest = line.slice(0, maxLineBytes);
          return;
        }
        readLine(line);
        rest = new Uint8Array(0);
        from = end + 1;
      }
    },
    end() {
      readLine(rest);
      const bounds = min.every((value, axis) => value <= (max[axis] ?? -Infinity))
        ? { min, max }
        : null;
      return { materials: [...names], bounds, libraries: [...libraries] };
    },
  };
}

/** Colours that a material library gives by `Kd`, '#rrggbb' by the names of materials. */
export function mtlColours(text: string): Record<string, string> {
  const colours: Record<string, string> = {};
  let name: string | null = null;
  for (const line of text.split('\n')) {
    const [, next] = /^\s*newmtl[ \t]+(.*?)\s*$/.exec(line) ?? [];
    if (next !== undefined) name = next;
    const [, shares] = /^\s*Kd[ \t]+(.*?)\s*$/.exec(line) ?? [];
    if (shares === undefined || name === null) continue;
    const parts = shares.split(/[ \t]+/).map(Number);
    if (parts.length !== 3 || !parts.every((part) => part >= 0 && part <= 1)) continue;
    const hex = parts.map((part) =>
      Math.round(255 * part)
        .toString(16)
        .padStart(2, '0'),
    );
    colours[name] = `#${hex.join('')}`;
  }
  return colours;
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(one.length + Math.min(other.length, maxLineBytes));
  bytes.set(one);
  bytes.set(other.subarray(0, maxLineBytes), one.length);
  return bytes;
}

const newLine = 0x0a;
const space = 0x20;
const tab = 0x09;
const letterU = 0x75;
const letterV = 0x76;
const letterM = 0x6d;
const statement = /^usemtl[ \t]+(.*?)\s*$/;
const libraryStatement = /^mtllib[ \t]+(.*?)\s*$/;
