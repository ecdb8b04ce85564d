// Writes the golden frames and recipes: `node test/wire/writeGolden.ts`. Run once; the files are kept, and both
// languages read them and write their equal. Why bytes are laid out here by hand, after PROTOCOL.md: a
// file made by the code under test would agree with its mistakes.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { goldenRecipes } from './goldenRecipes.ts';
import { goldenFrames, type GoldenColumn, type GoldenFrame } from './goldenFrames.ts';

const bytesOf: Record<GoldenColumn['type'], (view: DataView, at: number, value: number) => void> = {
  u8: (view, at, value) => view.setUint8(at, value),
  u16: (view, at, value) => view.setUint16(at, value, true),
  u32: (view, at, value) => view.setUint32(at, value, true),
  i32: (view, at, value) => view.setInt32(at, value, true),
  u64: (view, at, value) => view.setBigUint64(at, BigInt(value), true),
  i64: (view, at, value) => view.setBigInt64(at, BigInt(value), true),
  f32: (view, at, value) => view.setFloat32(at, value, true),
  f64: (view, at, value) => view.setFloat64(at, value, true),
};
const widths = { u8: 1, u16: 2, u32: 4, i32: 4, u64: 8, i64: 8, f32: 4, f64: 8 };

/** The bytes of a golden frame: preamble, header padded with spaces, columns padded with zeros. */
export function goldenBytes({ headerJson, columns }: GoldenFrame): Buffer {
  const header = Buffer.from(headerJson, 'utf8');
  const padded = Buffer.alloc(Math.ceil(header.length / 8) * 8, ' ');
  header.copy(padded);
  const payload = Buffer.concat(columns.map(payloadOf));
  const preamble = Buffer.alloc(16);
  preamble.write('USF1', 'latin1');
  preamble.writeUInt32LE(padded.length, 4);
  preamble.writeBigUInt64LE(BigInt(payload.length), 8);
  return Buffer.concat([preamble, padded, payload]);
}

/** The contents of the files, for tests in any language. */
export function goldenManifest(): string {
  const manifest = goldenFrames.map(({ file, headerJson, columns }) => ({
    file,
    header: JSON.parse(headerJson) as unknown,
    columns: columns.map(({ name, type, values }) => ({
      name,
      type,
      values: values.map(jsonValue),
    })),
  }));
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = new URL('golden/', import.meta.url);
  for (const frame of goldenFrames) writeFileSync(new URL(frame.file, folder), goldenBytes(frame));
  writeFileSync(new URL('manifest.json', folder), goldenManifest());
  writeFileSync(new URL('recipes.json', folder), goldenRecipes());
}

function payloadOf({ type, values }: GoldenColumn): Buffer {
  const bytes = Buffer.alloc(Math.ceil((values.length * widths[type]) / 8) * 8);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  values.forEach((value, index) => bytesOf[type](view, index * widths[type], value));
  return bytes;
}

/** JSON has no NaN, no infinity and, once parsed and printed, no minus zero: null and strings replace them. */
function jsonValue(value: number): number | string | null {
  if (Number.isNaN(value)) return null;
  if (Object.is(value, -0)) return '-0';
  return Number.isFinite(value) ? value : String(value);
}
