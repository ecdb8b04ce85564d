// The names of materials in a Wavefront OBJ: what its statements `usemtl` say, as the native reader takes them
// (native-workers/core/scene/readers/objReader.cpp).

/** Takes a file in pieces. Reads lines, not geometry: some hundred MB a second. */
export interface ObjMaterials {
  push(bytes: Uint8Array): void;
  /** Each name once, in the order of the file. */
  end(): string[];
}

/** Longest statement that is looked at: a line without an end takes no memory. */
const maxLineBytes = 4096;

/** Reads names of materials. */
export function createObjMaterials(): ObjMaterials {
  const names = new Set<string>();
  const decoder = new TextDecoder();
  let rest: Uint8Array = new Uint8Array(0);
  const readLine = (line: Uint8Array): void => {
    let start = 0;
    while (line[start] === space || line[start] === tab) start += 1;
    // Why first the letter: nearly all lines are vertices and faces.
    if (line[start] !== letterU) return;
    const [, name] = statement.exec(decoder.decode(line.subarray(start))) ?? [];
    if (name !== undefined) names.add(name);
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
      return [...names];
    },
  };
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
const statement = /^usemtl[ \t]+(.*?)\s*$/;
