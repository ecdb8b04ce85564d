// runs.plants: truth of the plants of a run, which the catalogue saves for all runs of the same scene.
import { badInput } from '#contract/errors.ts';
import type { RequestOf } from '#contract/host/methods.ts';
import { originOf } from '#contract/worldOrigin.ts';
import type { HandlerContext, Handlers } from '#services/handlers.ts';
import type { Exporters } from '#services/ports/exporters.ts';
import { openPlantTable } from '#services/scenes/plantTable.ts';
import { withScene } from '#services/scans/sceneWork.ts';
import { measurePlants, plantList, type PlantColumns } from '#services/scenes/scenePlants.ts';
import { runOf } from './runCollection.ts';
import { sceneOfRun, type RunScenePorts } from './runScene.ts';
import { compiledOf } from './storedDocument.ts';

export interface RunPlantsPorts extends RunScenePorts {
  exporters: Exporters;
}

/** @throws as sceneOfRun and withScene, where the scene has to be built; as Exporters for a file */
export function runPlantsHandler(ports: RunPlantsPorts): Pick<Handlers<'runs'>, 'runs.plants'> {
  const { catalogue } = ports;
  return {
    'runs.plants': async (request, context) => {
      const run = runOf(catalogue, request.runId);
      const file = request.out ?? null;
      if (file !== null) await checkFile(ports, file, request);
      const compiled = await compiledOf(ports, run.id);
      const columns = (catalogue.plants(run.id) ??
        (await measured(ports, run, compiled, context))) as PlantColumns;
      if (file !== null) await writeTable(ports, file, request, columns, compiled);
      return { reply: { ...plantList(compiled.recipe, columns), file }, columns };
    },
  };
}

type Compiled = Awaited<ReturnType<typeof compiledOf>>;

/** Before anything is built. @throws 'bad-input' for another ending, and as Exporters for a file that is there */
async function checkFile(
  { exporters }: RunPlantsPorts,
  file: string,
  { isReplacing }: RequestOf<'runs.plants'>,
): Promise<void> {
  if (!file.toLowerCase().endsWith('.csv')) {
    const title = 'the plants cannot be written';
    throw badInput('out', `expected a file that ends in .csv, found '${file}'`, { title });
  }
  const target = await exporters.openTarget(file, { isReplacing, inputs: [] });
  await target.abort();
}

async function measured(
  ports: RunPlantsPorts,
  run: ReturnType<typeof runOf>,
  compiled: Compiled,
  context: HandlerContext,
): Promise<PlantColumns> {
  const { catalogue } = ports;
  const scene = await sceneOfRun(ports, run, compiled);
  const columns = await withScene(ports, scene, {}, context, (open) =>
    measurePlants(open, scene.recipe, context),
  );
  if (!catalogue.isReadOnly) catalogue.savePlants(run.id, columns);
  return columns;
}

async function writeTable(
  { exporters }: RunPlantsPorts,
  file: string,
  { isReplacing }: RequestOf<'runs.plants'>,
  columns: PlantColumns,
  { recipe, scenario }: Compiled,
): Promise<void> {
  const table = await openPlantTable(exporters, file, { isReplacing, inputs: [] });
  try {
    await table.write(columns, recipe, originOf(scenario.scene));
    await table.close();
  } catch (error) {
    await table.abort();
    throw error;
  }
}
