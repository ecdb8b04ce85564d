// The coordinate system that a LAS file states: well-known text in record 2112, or GeoTIFF keys in records 34735 and
// 34736 (LAS 1.4 R15, section 3; OGC 19-008), which LAS before 1.4 has in most cases.
import { statedSystem, type StatedSystem, unitOfEpsg } from '#domain/shared/systemUnits.ts';
import { type LasRecord, nameOf } from './lasRecords.ts';

const keys = {
  modelType: 1024,
  geographicSystem: 2048,
  projectedSystem: 3072,
  linearUnits: 3076,
  linearUnitSize: 3077,
  heights: 4096,
  heightUnits: 4099,
} as const;
const geographicModel = 2;
const userDefined = 32767;
/** Where the value of a key is: in the key itself, or in a record of doubles. */
const places = { key: 0, doubles: 34736 } as const;

export function systemOfLas(records: readonly LasRecord[]): StatedSystem {
  const contentOf = (id: number): Uint8Array | undefined =>
    records.find((record) => record.user === 'LASF_Projection' && record.id === id)?.content;
  const text = nameOf(contentOf(2112) ?? new Uint8Array());
  if (text !== '') return statedSystem(text);
  const directory = contentOf(34735);
  if (directory === undefined) return statedSystem(null);
  const values = keyValues(directory, contentOf(34736) ?? new Uint8Array());
  const [linear, heights, projected] = [
    keys.linearUnits,
    keys.heightUnits,
    keys.projectedSystem,
  ].map((key) => values.get(key) ?? null);
  const isGeographic =
    values.get(keys.modelType) === geographicModel ||
    (codeOf(projected) === null &&
      values.has(keys.geographicSystem) &&
      !values.has(keys.linearUnits));
  return {
    crs: isGeographic ? codeOf(values.get(keys.geographicSystem)) : codeOf(projected),
    heights: codeOf(values.get(keys.heights)),
    units: {
      horizontal: unitOf(linear, values.get(keys.linearUnitSize)),
      vertical: unitOf(heights, undefined),
    },
    isGeographic,
  };
}

/** Null: not stated, or user-defined. */
function codeOf(code: number | null | undefined): string | null {
  const isCode = code !== null && code !== undefined && code > 0 && code < userDefined;
  return isCode ? `EPSG:${code}` : null;
}

function unitOf(code: number | null | undefined, sizeM: number | undefined) {
  if (code === null || code === undefined || code === 0) return null;
  if (code !== userDefined) return unitOfEpsg(code);
  return sizeM === undefined ? null : { name: 'a unit of its own', metres: sizeM };
}

/** The numbers of keys, by key. Keys beyond the record's end are left out. */
function keyValues(directory: Uint8Array, doubles: Uint8Array): Map<number, number> {
  const view = new DataView(directory.buffer, directory.byteOffset, directory.byteLength);
  const reals = new DataView(doubles.buffer, doubles.byteOffset, doubles.byteLength);
  const found = new Map<number, number>();
  const count = view.byteLength < 8 ? 0 : view.getUint16(6, true);
  for (let at = 8; at + 8 <= view.byteLength && at < 8 * (count + 1); at += 8) {
    const [key, place, , value] = [0, 2, 4, 6].map((offset) => view.getUint16(at + offset, true));
    if (key === undefined || value === undefined) continue;
    if (place === places.key) found.set(key, value);
    if (place !== places.doubles || 8 * value + 8 > reals.byteLength) continue;
    found.set(key, reals.getFloat64(8 * value, true));
  }
  return found;
}
