// The voxels of log.estimate as a file: CSV has those that lines of beams cross, NPZ and AMAPvox text have all.
import type { LeafAreaRow } from '#domain/vegetation/leafAreaEstimates.ts';
import { decimal, voxelAt, voxHeader, type VoxelSpace } from '#domain/vegetation/voxelSpace.ts';
import type { Exporters, ExportTarget } from '#services/ports/exporters.ts';
import { openVoxelArrays, plantDensityName } from '#services/voxelArrays.ts';

export interface EstimateFile {
  /** Voxels from a number on, in order. */
  write(from: number, rows: readonly LeafAreaRow[]): Promise<void>;
  close(): Promise<void>;
  /** Removes what was written so far. */
  abort(): Promise<void>;
}

/**
 * The values of a voxel by their names in files. `lines`: beams whose line crosses it; `stopped`: those of them that ended
 * before; `occluded_share`: by length.
 */
const values = {
  lines: ({ lines }) => lines,
  stopped: ({ lines, beams }) => lines - beams,
  beams: ({ beams }) => beams,
  hits: ({ hits }) => hits,
  path_m: ({ pathM }) => pathM,
  occluded_share: ({ occludedShare }) => occludedShare,
  contact_m2_per_m3: ({ contact }) => contact.density,
  contact_se: ({ contact }) => contact.standardError,
  likelihood_m2_per_m3: ({ likelihood }) => likelihood.density,
  likelihood_se: ({ likelihood }) => likelihood.standardError,
  beer_lambert_m2_per_m3: ({ beerLambert }) => beerLambert.density,
  beer_lambert_se: ({ beerLambert }) => beerLambert.standardError,
} as const satisfies Record<string, (row: LeafAreaRow) => number>;
const withTruth = { ...values, truth_m2_per_m3: ({ truth }: LeafAreaRow) => truth };

interface Order {
  exporters: Exporters;
  file: string;
  space: VoxelSpace;
  hasTruth: boolean;
  target: ExportTarget;
}

export const estimateEndings = ['.csv', '.npz', '.vox'];

/** Starts FILE.csv, FILE.npz or FILE.vox. @throws UnderstoryError as Exporters */
export function openEstimateFile(order: Order): Promise<EstimateFile> {
  const name = order.file.toLowerCase();
  if (name.endsWith('.npz')) return openNpz(order);
  return name.endsWith('.csv') ? openCsv(order) : openVox(order);
}

function valuesOf({ hasTruth }: Order): [string, (row: LeafAreaRow) => number][] {
  return Object.entries(hasTruth ? withTruth : values);
}

async function openCsv(order: Order): Promise<EstimateFile> {
  const { exporters, file, space, target } = order;
  const columns = valuesOf(order);
  const names = [...columns.map(([name]) => name), plantDensityName];
  const table = await exporters.createTable(
    file,
    ['i', 'j', 'k', 'x_m', 'y_m', 'z_m', ...names],
    target,
  );
  return {
    async write(from, rows) {
      const written = rows.flatMap((row, offset) => {
        if (Number.isNaN(row.occludedShare)) return [];
        const at = voxelAt(space, from + offset);
        const middleM = at.map((index, axis) => {
          return decimal((space.minM[axis] ?? 0) + (index + 0.5) * space.voxelM);
        });
        const cells = [...columns.map(([, valueOf]) => valueOf(row)), plantDensity(row)];
        const known = cells.map((value) => (Number.isNaN(value) ? '' : decimal(value)));
        return [[...at, ...middleM, ...known]];
      });
      await table.write(written);
    },
    close: () => table.close(),
    abort: () => table.abort(),
  };
}

/** Taken by a voxel model: the estimate of maximum likelihood. */
function plantDensity({ likelihood }: LeafAreaRow): number {
  return likelihood.density;
}

/** PadBVTotal: the density of AMAPvox. */
async function openVox(order: Order): Promise<EstimateFile> {
  const { exporters, file, space, target } = order;
  const columns = valuesOf(order);
  const text = await exporters.createText(file, target);
  let head = voxHeader(
    space,
    columns.map(([name]) => name),
  );
  return {
    async write(from, rows) {
      const lines = rows.map((row, offset) => {
        const cells = columns.map(([, valueOf]) => decimal(valueOf(row)));
        const at = voxelAt(space, from + offset);
        return `${[...at, decimal(plantDensity(row)), ...cells].join(' ')}\n`;
      });
      await text.write(head + lines.join(''));
      head = '';
    },
    close: () => text.close(),
    abort: () => text.abort(),
  };
}

async function openNpz(order: Order): Promise<EstimateFile> {
  const { exporters, file, space, target } = order;
  const columns = valuesOf(order);
  const names = columns.map(([name]) => name);
  const arrays = await openVoxelArrays(exporters, file, space, names, target);
  return {
    async write(_from, rows) {
      for (const [name, valueOf] of [...columns, [plantDensityName, plantDensity] as const]) {
        await arrays.append(name, Float64Array.from(rows, valueOf));
      }
    },
    close: () => arrays.close(),
    abort: () => arrays.abort(),
  };
}
