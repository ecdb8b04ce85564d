// The golden frames. Header texts are spelled out as in the files.

export interface GoldenColumn {
  name: string;
  type: 'u8' | 'u16' | 'u32' | 'i32' | 'u64' | 'i64' | 'f32' | 'f64';
  values: number[];
}

export interface GoldenFrame {
  file: string;
  headerJson: string;
  columns: GoldenColumn[];
}

/** A frame of every kind; the call has columns of every type and of lengths that need padding. */
export const goldenFrames: GoldenFrame[] = [
  {
    file: 'call-with-columns.bin',
    headerJson:
      '{"kind":"call","id":7,"method":"scan","body":{"fromNs":0,"toNs":100000000,"name":"Bäume"},' +
      '"columns":[{"name":"time_ns","type":"i64","count":2},{"name":"return_no","type":"u8","count":3},' +
      '{"name":"ring","type":"u16","count":5},{"name":"object_id","type":"u32","count":1},' +
      '{"name":"offset","type":"i32","count":2},{"name":"pulse","type":"u64","count":1},' +
      '{"name":"range_m","type":"f32","count":3},{"name":"x_m","type":"f64","count":2},' +
      '{"name":"none","type":"f32","count":0}]}',
    columns: [
      { name: 'time_ns', type: 'i64', values: [-1, 9007199254740991] },
      { name: 'return_no', type: 'u8', values: [0, 1, 255] },
      { name: 'ring', type: 'u16', values: [0, 1, 2, 3, 65535] },
      { name: 'object_id', type: 'u32', values: [4294967295] },
      { name: 'offset', type: 'i32', values: [-2147483648, 2147483647] },
      { name: 'pulse', type: 'u64', values: [9007199254740991] },
      { name: 'range_m', type: 'f32', values: [0.5, Number.NaN, -0] },
      { name: 'x_m', type: 'f64', values: [0.1, Number.POSITIVE_INFINITY] },
      { name: 'none', type: 'f32', values: [] },
    ],
  },
  { file: 'empty-event.bin', headerJson: '{"kind":"event","id":0,"method":"tick"}', columns: [] },
  {
    file: 'error.bin',
    headerJson:
      '{"kind":"error","id":3,"error":{"code":"scene-too-large",' +
      '"message":"the scene would take 9 GB","details":{"neededBytes":9000000000}}}',
    columns: [],
  },
  { file: 'cancel.bin', headerJson: '{"kind":"cancel","id":7}', columns: [] },
  { file: 'ack.bin', headerJson: '{"kind":"ack","id":7,"seq":0}', columns: [] },
  {
    file: 'progress.bin',
    headerJson: '{"kind":"progress","id":7,"body":{"phase":"scan","done":1000,"total":64000}}',
    columns: [],
  },
  {
    file: 'chunk.bin',
    headerJson:
      '{"kind":"chunk","id":7,"seq":2,"body":{"rows":3},' +
      '"columns":[{"name":"range_m","type":"f32","count":3},{"name":"ring","type":"u16","count":3}]}',
    columns: [
      { name: 'range_m', type: 'f32', values: [1.5, Number.NaN, 80.25] },
      { name: 'ring', type: 'u16', values: [0, 1, 63] },
    ],
  },
  {
    file: 'reply.bin',
    headerJson:
      '{"kind":"reply","id":7,"body":{"pulses":64,"hash":"00ff"},' +
      '"columns":[{"name":"object_id","type":"u32","count":2}]}',
    columns: [{ name: 'object_id', type: 'u32', values: [1, 4294967295] }],
  },
];
