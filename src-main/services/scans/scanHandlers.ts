// scan.start: one sensor at one place in a scenario's scene, along a trajectory, or along the legs of its survey, for an
// interval of simulated time. A request becomes a plan; the scene is built; every piece of the plan goes to every sink.
import type { Replies, RequestOf } from '#contract/host/methods.ts';
import type { SceneSummary } from '#contract/worker/worker.ts';
import { hasMotions, motionStepNs } from '#contract/worker/motions.ts';
import { sensorNotices } from '#domain/sensor/sensorNotices.ts';
import { systemNotices } from '#domain/scene/systemNotices.ts';
import { unusedAir } from '#domain/sensor/airEffects.ts';
import { learnedLimits } from '#domain/sensor/learnedLimits.ts';
import { trajectoryWithin } from '#domain/trajectory/trajectory.ts';
import type { Notice } from '#domain/shared/notice.ts';
import type { Documents } from '#services/documents/documents.ts';
import { missingNotices } from '#services/documents/missingBeside.ts';
import type { HandlerContext, Handlers } from '#services/handlers.ts';
import { instancesOf } from './instancesOf.ts';
import { joinHandler } from './joinParts.ts';
import { piecesOf, progressOfPath } from './scanPath.ts';
import { planScan } from './scanPlan.ts';
import { expectFreeStarts, withScene, type ScenePorts } from './sceneWork.ts';
import type { ScanPlan, ScanSink, SinkPorts } from './sinks/scanSink.ts';

type Reply = Replies['scan.start'];

/** The handlers of `scan.*` (contract/host/methods.ts). */
export function scanHandlers(
  ports: ScenePorts & SinkPorts & { documents: Documents },
): Handlers<'scan'> {
  async function start(request: RequestOf<'scan.start'>, context: HandlerContext): Promise<Reply> {
    const plan = await planScan(ports, request, context.signal);
    const scene = { recipe: plan.compiled.recipe, heights: plan.heights };
    return withScene(ports, scene, request, context, async ({ worker, summary }) => {
      if (hasMotions(scene.recipe)) {
        expectFreeStarts(summary, await instancesOf(worker), plan.compiled);
      }
      const sinks: ScanSink[] = [];
      try {
        for (const open of plan.sinks) sinks.push(await open({ ports, plan, worker, context }));
        await tracePieces(plan, sinks, context);
        const missing = await missingNotices(ports.files, scene.recipe.models, context.signal);
        return await closed(sinks, plan, summary, missing);
      } catch (error) {
        // Why settled: the failure counts, and every sink removes what it has written.
        await Promise.allSettled(sinks.map((sink) => sink.abort()));
        throw error;
      }
    });
  }
  return {
    'scan.start': async (request, context) => ({ reply: await start(request, context) }),
    'scan.join': joinHandler(ports),
  };
}

async function tracePieces(
  { compiled, path, pieceNs, sensor, carriedBy, raisedDust }: ScanPlan,
  sinks: readonly ScanSink[],
  { signal, progress }: HandlerContext,
): Promise<void> {
  const ofVehicle = { ...(carriedBy && { carriedBy }), ...(raisedDust && { raisedDust }) };
  for (const piece of piecesOf(path, pieceNs)) {
    const { leg, fromNs, toNs } = piece;
    const { seed } = compiled.scenario;
    const pulses = { sensor: leg.sensor ?? sensor.recipe, fromNs, toNs, seed };
    // Why not the whole leg: recordings ask tick by tick, and poses may be a million. Why steps around: a body that
    // moves with the vehicle is interpolated between them.
    const trajectory = trajectoryWithin(leg.trajectory, fromNs - motionStepNs, toNs + motionStepNs);
    for (const [index, sink] of sinks.entries()) {
      const pass = { index, of: sinks.length };
      const onProgress: typeof progress = (done) =>
        progress(progressOfPath(path, piece, done, pass));
      await sink.trace({
        ...piece,
        pulses,
        trajectory,
        options: { signal, onProgress, ...ofVehicle },
      });
    }
  }
}

/** Ends all sinks. */
async function closed(
  sinks: readonly ScanSink[],
  { compiled, sensor }: ScanPlan,
  summary: SceneSummary,
  missing: readonly Notice[],
): Promise<Reply> {
  const { atmosphere, classes } = compiled.recipe;
  const air = unusedAir(atmosphere, [sensor.recipe]);
  const { models } = compiled.scenario.scene;
  const learned = summary.models.filter(({ name }) => models[name]?.kind === 'learned');
  const notes = [
    ...(air === null ? [] : [`${air.path} has no effect: ${air.message}`]),
    ...learnedLimits({ models: learned }, sensor),
    ...sensorNotices(sensor.recipe).map(({ path, message }) => `${path}: ${message}`),
    ...[...systemNotices(summary.models, compiled.scenario.scene.crs), ...missing].map(
      ({ path, message }) => `${path}: ${message}`,
    ),
  ];
  let reply: Reply = {
    pulses: 0,
    rays: 0,
    hits: 0,
    returns: 0,
    rows: 0,
    hash: '',
    legs: [],
    files: [],
    leftOut: [],
    notes,
    classes,
    summary,
    rayRows: null,
    waveforms: null,
  };
  for (const sink of sinks) {
    const part = await sink.close();
    reply = { ...reply, ...part, files: [...reply.files, ...part.files] };
  }
  return reply;
}
