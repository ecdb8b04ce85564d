// The plot of scenario.truth as a file: NPZ with gap fractions, indices, and heights of canopy and terrain; JSON has
// no heights. A GeoTIFF has the heights of the canopy or of the terrain.
import type { PlotSummary } from '#contract/host/truthMethods.ts';
import type { WorkerReply } from '#contract/worker/workerMethods.ts';
import type { OriginM } from '#contract/worldOrigin.ts';
import { measuredPlot, plotSummary } from '#domain/vegetation/plotStatistics.ts';
import type { VoxelSpace } from '#domain/vegetation/voxelSpace.ts';
import type { Exporters, ExportTarget, Raster } from '#services/ports/exporters.ts';

/** Cells by x, then by y. */
interface PlotHeights {
  /** Above the ground; 0 without a part of a plant. */
  canopyM: Float64Array;
  /** In the world. */
  terrainM: Float64Array;
}

interface Measured {
  /** One voxel high. */
  space: VoxelSpace;
  grid: WorkerReply<'truth.voxels'>;
  gaps: WorkerReply<'truth.gaps'>;
  heights: PlotHeights;
}

export function heightsOf(
  { columns: { top_m: topM, ground_m: groundM } }: WorkerReply<'truth.voxels'>,
  originM: OriginM,
): PlotHeights {
  return {
    canopyM: topM.map((top, cell) => (Number.isNaN(top) ? 0 : top - (groundM[cell] ?? 0))),
    terrainM: groundM.map((ground) => ground + originM[2]),
  };
}

/** @param values by x, then by y @param crs of the scene */
export function rasterOf(
  { minM, maxM, split, voxelM }: VoxelSpace,
  values: Float64Array,
  crs: string | undefined,
): Raster {
  const [columns, rows] = split;
  const code = /^EPSG:(\d+)$/.exec(crs ?? '')?.[1];
  return {
    columns,
    rows,
    cellM: voxelM,
    westM: minM[0],
    northM: maxM[1],
    epsg: code === undefined ? null : Number(code),
    values: Float32Array.from({ length: columns * rows }, (_, cell) => {
      const [row, column] = [Math.floor(cell / columns), cell % columns];
      return values[column * rows + (rows - 1 - row)] ?? NaN;
    }),
  };
}

/** Writes FILE.npz or FILE.json. @throws UnderstoryError as Exporters */
export async function writePlot(
  exporters: Exporters,
  file: string,
  measured: Measured,
  target: ExportTarget,
): Promise<PlotSummary> {
  const { minM, maxM } = measured.space;
  const groundAreaM2 = (maxM[0] - minM[0]) * (maxM[1] - minM[1]);
  const summary = plotSummary(measuredPlot(groundAreaM2, measured.grid, measured.gaps));
  const write = file.toLowerCase().endsWith('.npz') ? writeNpz : writeJson;
  await write(exporters, file, measured, summary, target);
  return summary;
}

async function writeJson(
  exporters: Exporters,
  file: string,
  { space: { minM, maxM } }: Measured,
  summary: PlotSummary,
  target: ExportTarget,
): Promise<void> {
  const text = await exporters.createText(file, target);
  try {
    await text.write(`${JSON.stringify({ minM, maxM, ...summary }, null, 2)}\n`);
    await text.close();
  } catch (error) {
    await text.abort();
    throw error;
  }
}

async function writeNpz(
  exporters: Exporters,
  file: string,
  { space, heights }: Measured,
  { zeniths, ...indices }: PlotSummary,
  target: ExportTarget,
): Promise<void> {
  const { minM, voxelM, split } = space;
  const arrays = await exporters.createArrays(file, target);
  const add = (name: string, values: Iterable<number | null>, rowShape?: number[]): Promise<void> =>
    arrays.add(
      name,
      { type: 'f64', ...(rowShape && { rowShape }) },
      Float64Array.from(values, (value) => value ?? NaN),
    );
  try {
    await add('min_m', minM);
    await add('cell_m', [voxelM]);
    for (const [name, value] of Object.entries(indices)) await add(snakeCase(name), [value]);
    await add(
      'zenith_deg',
      zeniths.map(({ zenithDeg }) => zenithDeg),
    );
    await add(
      'gap_fraction',
      zeniths.map(({ gapFraction }) => gapFraction),
    );
    await add(
      'leaf_gap_fraction',
      zeniths.map(({ leafGapFraction }) => leafGapFraction),
    );
    await add(
      'clumping',
      zeniths.map(({ clumping }) => clumping),
    );
    await add(
      'leaf_clumping',
      zeniths.map(({ leafClumping }) => leafClumping),
    );
    await add('canopy_height_m', heights.canopyM, [split[1]]);
    await add('terrain_m', heights.terrainM, [split[1]]);
    await arrays.close();
  } catch (error) {
    await arrays.abort();
    throw error;
  }
}

/** 'leafAreaIndex' → 'leaf_area_index', 'groundAreaM2' → 'ground_area_m2'. */
function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
