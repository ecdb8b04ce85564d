// The names of materials in a Wavefront OBJ: what its statements `usemtl` say, as the native reader takes them
// (native-workers/core/scene/readers/objReader.cpp).

/** Each name once, in the order of the file. Reads lines, not geometry: some hundred MB a second. */
export function objMaterials(bytes: Uint8Array): string[] {
  const names = new Set<string>();
  const decoder = new TextDecoder();
  for (let from = 0; from < bytes.length;) {
    const end = bytes.indexOf(newLine, from);
    const to = end === -1 ? bytes.length : end;
    let start = from;
    while (bytes[start] === space || bytes[start] === tab) start += 1;
    // Why first the letter: nearly all lines are vertices and faces.
    if (bytes[start] === letterU && start < to) {
      const [, name] = statement.exec(decoder.decode(bytes.subarray(start, to))) ?? [];
      if (name !== undefined) names.add(name);
    }
    from = to + 1;
  }
  return [...names];
}

const newLine = 0x0a;
const space = 0x20;
const tab = 0x09;
const letterU = 0x75;
const statement = /^usemtl[ \t]+(.*?)\s*$/;
