// PLY: vertices, in text or as binary data of either byte order.
import { expectRead, headedColumns, headedPoints, headText } from './headedPoints.ts';
import { damaged, type Letter, type PointFormat } from './pointLayout.ts';

const types: Record<string, [Letter, number]> = {
  char: ['I', 1],
  int8: ['I', 1],
  uchar: ['U', 1],
  uint8: ['U', 1],
  short: ['I', 2],
  int16: ['I', 2],
  ushort: ['U', 2],
  uint16: ['U', 2],
  int: ['I', 4],
  int32: ['I', 4],
  uint: ['U', 4],
  uint32: ['U', 4],
  float: ['F', 4],
  float32: ['F', 4],
  double: ['F', 8],
  float64: ['F', 8],
};

export const plyFormat: PointFormat = {
  endings: ['.ply'],
  async open(file) {
    const text = await headText(file);
    const end = /^end_header\r?\n/m.exec(text);
    const format = /^format\s+(\S+)/m.exec(text)?.[1] ?? '';
    if (end === null || !text.startsWith('ply')) {
      throw damaged(file.path, 'it has no header of PLY');
    }
    const isBig = format === 'binary_big_endian';
    const isRead = format === 'ascii' || format === 'binary_little_endian' || isBig;
    expectRead(file.path, isRead, format, 'CloudCompare saves it so');
    const head = text.slice(0, end.index);
    const vertices = /^element vertex (\d+)\s*$/m.exec(head);
    const first = /^element (\S+)/m.exec(head)?.[1];
    if (vertices === null || first !== 'vertex') {
      throw damaged(file.path, 'its first element is no vertex');
    }
    const ofVertex = head.slice(vertices.index + vertices[0].length).split(/^element /m)[0] ?? '';
    const columns = headedColumns(format === 'ascii', !isBig);
    for (const [, type = '', name = ''] of ofVertex.matchAll(/^property (\S+) (\S+)\s*$/gm)) {
      const [letter, size = 0] = types[type] ?? [];
      if (
        !columns.add(name.replace(/^(?:scalar_|diffuse_(?=red|green|blue))/i, ''), letter, size)
      ) {
        throw damaged(file.path, `its property '${name}' has no type of PLY`);
      }
    }
    const points = Number(vertices[1]);
    const start = end.index + end[0].length;
    return headedPoints(file, { points, start, columns, head, rows: null });
  },
};
