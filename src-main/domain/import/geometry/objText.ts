// Triangles as Wavefront OBJ with MTL, the mesh format of scenarios that has materials by name and images.

export interface ObjMaterial {
  name: string;
  /** '#rrggbb'; multiplies the image. */
  colour: string;
  /** Files beside the mesh. alphaImage cuts where its alpha is low. */
  colourImage?: string;
  alphaImage?: string;
}

export interface ObjPart {
  material: string;
  /** x, y, z of every vertex. */
  positions: ArrayLike<number>;
  /** u, v of every vertex, v upwards; null: none. */
  coordinates: ArrayLike<number> | null;
  /** Three vertices a triangle. */
  triangles: ArrayLike<number>;
}

/** @param library name of the MTL file beside it */
export function objText(library: string, parts: readonly ObjPart[]): Uint8Array {
  const text = createText();
  text.line(`mtllib ${library}`);
  let [vertex, coordinate] = [1, 1];
  for (const { material, positions, coordinates, triangles } of parts) {
    text.line(`usemtl ${material}`);
    for (let at = 0; at + 2 < positions.length; at += 3) {
      text.line(
        `v ${short(positions[at])} ${short(positions[at + 1])} ${short(positions[at + 2])}`,
      );
    }
    for (let at = 0; coordinates !== null && at + 1 < coordinates.length; at += 2) {
      text.line(`vt ${short(coordinates[at])} ${short(coordinates[at + 1])}`);
    }
    const corner = (index: number): string =>
      coordinates === null ? `${vertex + index}` : `${vertex + index}/${coordinate + index}`;
    for (let at = 0; at + 2 < triangles.length; at += 3) {
      const [a = 0, b = 0, c = 0] = [triangles[at], triangles[at + 1], triangles[at + 2]];
      text.line(`f ${corner(a)} ${corner(b)} ${corner(c)}`);
    }
    vertex += positions.length / 3;
    coordinate += (coordinates?.length ?? 0) / 2;
  }
  return text.bytes();
}

export function mtlText(materials: readonly ObjMaterial[]): string {
  return materials
    .map(({ name, colour, colourImage, alphaImage }) => {
      const channels = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255);
      const lines = [`newmtl ${name}`, `Kd ${channels.map((value) => value.toFixed(3)).join(' ')}`];
      if (colourImage !== undefined) lines.push(`map_Kd ${colourImage}`);
      if (alphaImage !== undefined) lines.push(`map_d ${alphaImage}`);
      return `${lines.join('\n')}\n`;
    })
    .join('\n');
}

/** Nine digits: all that single precision holds. */
function short(value: number | undefined): number {
  return Number((value ?? 0).toPrecision(9));
}

/** Lines as bytes. Why in pieces: one string holds half a gigabyte at most. */
function createText(): { line(text: string): void; bytes(): Uint8Array } {
  const encoder = new TextEncoder();
  const pieces: Uint8Array[] = [];
  let lines: string[] = [];
  const close = (): void => {
    if (lines.length > 0) pieces.push(encoder.encode(`${lines.join('\n')}\n`));
    lines = [];
  };
  return {
    line: (text) => {
      lines.push(text);
      if (lines.length >= 65_536) close();
    },
    bytes: () => {
      close();
      const all = new Uint8Array(pieces.reduce((size, { length }) => size + length, 0));
      let at = 0;
      for (const piece of pieces) {
        all.set(piece, at);
        at += piece.length;
      }
      return all;
    },
  };
}
