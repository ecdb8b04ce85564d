// The versions of the documents that people write. Each document states its own in the field named here. A reader
// takes the present version alone; domain/scenario/upgradeDocument.ts rewrites older ones.

export const documentFormats = {
  scenario: { key: 'understory', version: 2 },
  sensor: { key: 'understorySensor', version: 3 },
  plant: { key: 'understoryPlant', version: 1 },
  species: { key: 'understorySpecies', version: 1 },
  campaign: { key: 'understoryCampaign', version: 1 },
} as const;

/** Bundles of runs (contract/documents/bundle.ts), which no person writes. */
export const bundleFormat = { key: 'understoryBundle', version: 1 } as const;

export type DocumentFormat = keyof typeof documentFormats;

/** A version, as a document states it. */
export interface StatedVersion {
  format: DocumentFormat;
  version: number;
}

/** The format and version that a document states; null where it states none. `data`: the document as plain data. */
export function statedVersion(data: unknown): StatedVersion | null {
  if (typeof data !== 'object' || data === null) return null;
  for (const format of formats) {
    const version: unknown = Reflect.get(data, documentFormats[format].key);
    if (typeof version === 'number' && Number.isInteger(version) && version > 0) {
      return { format, version };
    }
  }
  return null;
}

const formats = Object.keys(documentFormats) as DocumentFormat[];
