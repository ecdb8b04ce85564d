// scenario.*: the samples, and what is to be known of a scenario before anything is built.
import { sensorNotices } from '#domain/sensor/sensorNotices.ts';
import type { Handlers } from '#services/handlers.ts';
import { missingNotices } from '#services/documents/missingBeside.ts';
import { scenarioPoses } from '#services/runs/poses.ts';
import { checkScene, planScene } from '#services/scans/sceneWork.ts';
import { bakeScenario, type BakePorts } from './bakeScenario.ts';
import { importScenario, type ImportPorts } from './importScenario.ts';
import { scenarioTruth, type TruthPorts } from './scenarioTruth.ts';

/** The handlers of `scenario.*` (contract/host/methods.ts) but for scenario.addModel. */
export function scenarioHandlers(
  ports: ImportPorts & BakePorts & TruthPorts,
): Omit<Handlers<'scenario'>, 'scenario.addModel'> {
  const { documents } = ports;
  return {
    'scenario.list': async () => ({ reply: await documents.listScenarios() }),
    'scenario.check': async ({ scenario }, context) => {
      const { signal } = context;
      const { value, problems } = await documents.loadScenario(scenario, { signal });
      if (value === null) return { reply: { problems, notices: [] } };
      const { compiled, heights } = value;
      const { recipe, scenario: document } = compiled;
      const scene = { recipe, heights, crs: document.scene.crs };
      const { problems: ofScene, notices } = await checkScene(ports, scene, context);
      const ofSensors = compiled.sensors.flatMap(({ recipe: sensor, name }) =>
        sensorNotices(sensor, `sensors '${name}': `),
      );
      const missing = await missingNotices(ports.files, recipe.models, signal);
      const all = [...notices, ...missing, ...ofSensors];
      return { reply: { problems: ofScene, notices: all } };
    },
    'scenario.plan': async ({ scenario, text, seed }, context) => {
      const { compiled, heights } = await documents.compile(scenario, {
        text,
        seed,
        signal: context.signal,
      });
      return { reply: await planScene(ports, { recipe: compiled.recipe, heights }, context) };
    },
    'scenario.import': async (request, context) => ({
      reply: await importScenario(ports, request, context),
    }),
    'scenario.bake': async (request, context) => ({
      reply: await bakeScenario(ports, request, context),
    }),
    'scenario.truth': async (request, context) => ({
      reply: await scenarioTruth(ports, request, context),
    }),
    'scenario.poses': async (request, context) => ({
      reply: await scenarioPoses(ports, request, context),
    }),
  };
}
