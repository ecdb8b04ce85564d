// scenario.truth: measures of plants, voxels and a plot, row by row from the worker into files. Guarantees: memory does
// not grow with plants; for voxels it is checked before it is allocated. Nothing sways: the wind is left out.
import { badInput } from '#contract/errors.ts';
import type { Replies, RequestOf } from '#contract/host/methods.ts';
import type { PlotSummary, VoxelSummary } from '#contract/host/truthMethods.ts';
import type { CompiledScenario } from '#contract/host/run.ts';
import type { SceneRecipe } from '#contract/worker/recipe.ts';
import type { PlantTruthReply } from '#contract/worker/truth.ts';
import { originOf, toScene, toWorld, type OriginM } from '#contract/worldOrigin.ts';
import { memoryLimitBytes } from '#domain/scene/memoryLimit.ts';
import { requestedSpace, type Box } from '#domain/vegetation/requestedSpace.ts';
import { voxelTruthRequest, type VoxelSpace } from '#domain/vegetation/voxelSpace.ts';
import type { Documents } from '#services/documents/documents.ts';
import type { HandlerContext } from '#services/handlers.ts';
import type { Exporters, ExportTarget } from '#services/ports/exporters.ts';
import type { ScanWorker } from '#services/ports/workers.ts';
import { withScene, type ScenePorts } from '#services/scans/sceneWork.ts';
import { openPlantTable } from '#services/scenes/plantTable.ts';
import { heightsOf, rasterOf, writePlot } from './truthFiles/plotFile.ts';
import { openVoxelFile, type VoxelFile } from './truthFiles/voxelFile.ts';

export type TruthPorts = ScenePorts & { documents: Documents; exporters: Exporters };

type Request = RequestOf<'scenario.truth'>;

/** Shared by the parts of a request. */
interface Work {
  ports: TruthPorts;
  request: Request;
  context: HandlerContext;
  worker: ScanWorker;
  compiled: CompiledScenario;
  originM: OriginM;
  target: ExportTarget;
}

/** @throws UnderstoryError 'bad-input' with every problem; 'scene-too-large', also for too many voxels; as Exporters */
export async function scenarioTruth(
  ports: TruthPorts,
  request: Request,
  context: HandlerContext,
): Promise<Replies['scenario.truth']> {
  const { scenario, seed, settings, threads, isReplacing } = request;
  const { signal } = context;
  await checkFiles(ports.exporters, request);
  const loaded = await ports.documents.compile(scenario, { seed, settings, signal });
  const { compiled, heights } = loaded;
  const recipe = atRest(compiled.recipe);
  return withScene(ports, { recipe, heights }, { threads }, context, async ({ worker }) => {
    const originM = originOf(compiled.scenario.scene);
    const target = { isReplacing, inputs: [scenario] };
    const work = { ports, request, context, worker, compiled, originM, target };
    const { minM, maxM, ...sums } = await plantsOf(work);
    const { out, ...ofSpace } = outputsOf(request);
    const isNeeded = Object.values(ofSpace).some((file) => file !== undefined);
    const space = isNeeded ? plantSpace(work, { ...sums, minM, maxM }) : null;
    const voxels = space === null ? null : await voxelsOf(work, space);
    const plot = space === null ? null : await plotOf(work, space);
    const files = [out, ...Object.values(ofSpace)].filter((file) => file !== undefined);
    return { ...sums, voxels, plot, files };
  });
}

/** Without wind: plants in it would be met where their sway has them. */
function atRest({ wind: _wind, ...recipe }: SceneRecipe): SceneRecipe {
  return recipe;
}

/** Before anything is built. @throws 'bad-input' for an ending, and as Exporters for a file that may not be written */
async function checkFiles(exporters: Exporters, request: Request): Promise<void> {
  for (const [field, file] of Object.entries(outputsOf(request))) {
    if (file === undefined) continue;
    const known = endings[field as keyof typeof endings];
    const first = Object.entries(outputsOf(request)).find(([, other]) => other === file)?.[0];
    if (first !== field) {
      throw badInput(field, `expected another file than that of ${first}`, { title: unwritable });
    }
    if (!known.some((ending) => file.toLowerCase().endsWith(ending))) {
      const message = `expected a file that ends in one of ${known.join(', ')}, found '${file}'`;
      throw badInput(field, message, { title: unwritable });
    }
    const { isReplacing, scenario } = request;
    const target = await exporters.openTarget(file, { isReplacing, inputs: [scenario] });
    await target.abort();
  }
}

const unwritable = 'the truth cannot be written';

const endings = {
  out: ['.csv'],
  voxelsOut: ['.vox', '.csv', '.npz'],
  plotOut: ['.npz', '.json'],
  canopyOut: ['.tif', '.tiff'],
  terrainOut: ['.tif', '.tiff'],
} as const;

function outputsOf({ out, voxelsOut, plotOut, canopyOut, terrainOut }: Request) {
  return { out, voxelsOut, plotOut, canopyOut, terrainOut };
}

async function plantsOf({
  ports: { exporters },
  request: { out, boxM },
  ...work
}: Work): Promise<PlantTruthReply> {
  const { context, worker, compiled, originM, target } = work;
  const table = out === undefined ? null : await openPlantTable(exporters, out, target);
  try {
    const { body } = await worker.call(
      'truth.plants',
      boxM === undefined
        ? {}
        : { minM: toScene(originM, boxM[0]), maxM: toScene(originM, boxM[1]) },
      {},
      {
        signal: context.signal,
        onProgress: context.progress,
        onChunk: ({ columns }) => table?.write(columns, compiled.recipe, originM),
      },
    );
    await table?.close();
    return body;
  } catch (error) {
    await table?.abort();
    throw error;
  }
}

/** The voxels of a request. @throws 'bad-input' for too many columns, and as requestedSpace */
function plantSpace(
  { request, originM }: Work,
  { plants, minM, maxM }: PlantTruthReply,
): VoxelSpace {
  const around: Box | null = plants === 0 ? null : [toWorld(originM, minM), toWorld(originM, maxM)];
  const without = 'the scenario has no plants';
  const space = requestedSpace(request, around, { title, without });
  const [nx, ny] = space.split;
  if (nx * ny <= maxColumns) return space;
  const message = `expected at most ${maxColumns} columns of voxels, found ${nx * ny}: a larger edge gives fewer`;
  throw badInput('voxelM', message, { title });
}

const title = 'the voxels cannot be made';
/** Heights of canopy and terrain are held whole: 16 bytes of each. */
const maxColumns = 2 ** 24;

async function voxelsOf(work: Work, space: VoxelSpace): Promise<VoxelSummary | null> {
  const { ports, request, target } = work;
  if (request.voxelsOut === undefined) return null;
  const file = await openVoxelFile(ports.exporters, request.voxelsOut, space, target);
  try {
    const { body } = await gridOf(work, space, file);
    await file.close();
    return { ...space, leafAreaM2: body.leafAreaM2, woodAreaM2: body.woodAreaM2 };
  } catch (error) {
    await file.abort();
    throw error;
  }
}

/** The plot, and rasters of it; null: no gap fractions were asked for. */
async function plotOf(work: Work, whole: VoxelSpace): Promise<PlotSummary | null> {
  const { ports, request, compiled, context, worker, originM, target } = work;
  const { plotOut, canopyOut, terrainOut } = request;
  if ([plotOut, canopyOut, terrainOut].every((file) => file === undefined)) return null;
  const space: VoxelSpace = { ...whole, split: [whole.split[0], whole.split[1], 1] };
  const grid = await gridOf(work, space, null);
  const heights = heightsOf(grid, originM);
  const { crs } = compiled.scenario.scene;
  for (const [file, values] of [
    [canopyOut, heights.canopyM],
    [terrainOut, heights.terrainM],
  ] as const) {
    if (file === undefined) continue;
    await ports.exporters.writeRaster(file, rasterOf(space, values, crs), target);
  }
  if (plotOut === undefined) return null;
  const box = { minM: toScene(originM, space.minM), maxM: toScene(originM, space.maxM) };
  const gaps = await worker.call(
    'truth.gaps',
    { ...box, rays: request.rays, seed: compiled.scenario.seed },
    {},
    { signal: context.signal, onProgress: context.progress },
  );
  return writePlot(ports.exporters, plotOut, { space, grid, gaps, heights }, target);
}

/** Areas in the voxels of a space; their file takes them as they come. */
function gridOf(
  { ports: { machine }, context, worker, originM }: Work,
  space: VoxelSpace,
  file: VoxelFile | null,
) {
  const limitBytes = memoryLimitBytes(machine.availableMemoryBytes());
  return worker.call(
    'truth.voxels',
    voxelTruthRequest(space, originM, limitBytes),
    {},
    {
      signal: context.signal,
      onProgress: context.progress,
      onChunk: ({ body, columns }) =>
        file?.write(body.from, { leaf: columns.leaf_area_m2, wood: columns.wood_area_m2 }),
    },
  );
}
