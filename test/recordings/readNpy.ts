// A small reader of NPY 1.0, written from NumPy's description of the format, for tests of the writers.

export interface Npy {
  descr: string;
  shape: number[];
  values: number[];
}

/** @throws where the bytes are not a whole array in C order */
export function readNpy(file: Uint8Array): Npy {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const magic = String.fromCharCode(...file.subarray(0, 6));
  if (magic !== '\x93NUMPY' || file[6] !== 1) throw new Error('this is no NPY 1.0');
  const dataAt = 10 + view.getUint16(8, true);
  if (dataAt % 64 !== 0) throw new Error('the data does not begin on a multiple of 64');
  const header = new TextDecoder('latin1').decode(file.subarray(10, dataAt));
  const match = /^\{'descr': '(\S+)', 'fortran_order': False, 'shape': \(([\d, ]*)\), \} *\n$/.exec(
    header,
  );
  if (match === null) throw new Error(`this is no header: ${header}`);
  const [, descr = '', axes = ''] = match;
  const shape = axes
    .split(',')
    .filter((axis) => axis.trim() !== '')
    .map(Number);
  const read = readers[descr];
  if (read === undefined) throw new Error(`no such element: ${descr}`);
  const bytes = Number(descr.slice(2));
  const count = shape.reduce((product, axis) => product * axis, 1);
  if (file.length !== dataAt + count * bytes) throw new Error('the array is not whole');
  const values = Array.from({ length: count }, (_, i) => read(view, dataAt + i * bytes));
  return { descr, shape, values };
}

const readers: Record<string, (view: DataView, at: number) => number> = {
  '|u1': (view, at) => view.getUint8(at),
  '<u2': (view, at) => view.getUint16(at, true),
  '<u4': (view, at) => view.getUint32(at, true),
  '<i4': (view, at) => view.getInt32(at, true),
  '<u8': (view, at) => Number(view.getBigUint64(at, true)),
  '<i8': (view, at) => Number(view.getBigInt64(at, true)),
  '<f4': (view, at) => view.getFloat32(at, true),
  '<f8': (view, at) => view.getFloat64(at, true),
};
