// sensor.*: the sensors that come with Understory, what is wrong with a file, and what a sensor is like: its
// beam, its pulses and its rates, as the worker simulates them.
import { columnTypes, returnColumns } from '#contract/columns.ts';
import { traitsOf } from '#contract/documents/scan/scanRecipe.ts';
import type { SensorRecipe } from '#contract/worker/sensorRecipe.ts';
import type { Documents } from './documents.ts';
import type { Handlers } from '#services/handlers.ts';
import type { WarmWorker } from './warmWorker.ts';
import { recordedColumnsOf } from '#domain/sensor/recordedColumns.ts';

/** The handlers of `sensor.*` (contract/host/methods.ts). */
export function sensorHandlers({
  documents,
  worker,
}: {
  documents: Documents;
  worker: WarmWorker;
}): Handlers<'sensor'> {
  return {
    'sensor.list': async () => ({ reply: await documents.listSensors() }),

    'sensor.check': async ({ sensor, settings }) => ({
      reply: await documents.checkSensor(sensor, settings),
    }),

    'sensor.show': async (request, { signal, progress }) => {
      const { sensor: name, text, rateHz, mode, rangeM, seed, settings } = request;
      const { sensor, recipe } = await documents.expectSensor(
        name,
        { rateHz, mode },
        text,
        settings,
      );
      const { body: description, columns } = await worker.use((each) =>
        each.call(
          'sensor.describe',
          { sensor: recipe, rangeM, seed },
          {},
          { signal, onProgress: progress },
        ),
      );
      const { pulsesPerSecond, raysPerPulse } = description;
      const raysPerSecond = pulsesPerSecond * raysPerPulse;
      const bytesPerSecond = pulsesPerSecond * recordedBytes(recipe);
      const { isWholeTurn, lines } = traitsOf(recipe.scan);
      const columnsPerTurn = isWholeTurn
        ? (lines?.perScan ?? recipe.slotsPerSecond / recipe.scan.rateHz)
        : null;
      const detection = sensor.returns.detection ?? null;
      const figures = { columnsPerTurn, pulsesPerSecond, detection, raysPerSecond, bytesPerSecond };
      return { reply: { sensor, recipe, description, ...figures }, columns };
    },
  };
}

/** Bytes of a row that a run records. */
function recordedBytes(recipe: SensorRecipe): number {
  return recordedColumnsOf({ recipe: { materials: [], models: [] }, sensors: [{ recipe }] }).reduce(
    (sum, name) => sum + columnTypes[returnColumns[name].type].BYTES_PER_ELEMENT,
    0,
  );
}
