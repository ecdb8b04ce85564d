// A run from its recording alone: what a bundle states besides (metrics, what was ordered) is not known then.
import type { BundledRun } from '#contract/documents/bundle.ts';
import { UnderstoryError } from '#contract/errors.ts';
import type { HandlerContext } from '#services/handlers.ts';
import type { Bundles } from '#services/ports/bundles.ts';
import { sha256 } from '#services/sha256.ts';
import type { IncomingRun } from './importRun.ts';
import { bytesOf, identityOf, scanColumns } from './runContents.ts';
import { controlOf } from '#services/runs/recordedCommands.ts';
import { storedInRecording, type RecordedScenarioPorts } from '#services/runs/recordedScenario.ts';

/** @throws UnderstoryError 'corrupt' for a recording without its end, or of another program; 'unsupported' */
export async function runOfRecording(
  ports: RecordedScenarioPorts & { bundles: Bundles },
  { path, name }: { path: string; name: string },
  { signal, progress }: HandlerContext,
): Promise<{ bytes: number; incoming: IncomingRun }> {
  const { recordings, bundles } = ports;
  const reader = await recordings.open(path);
  const { isComplete, header } = reader;
  const control = controlOf(reader);
  await reader.close();
  if (!isComplete) {
    const message = `'${path}' is cut off: its end is missing`;
    throw new UnderstoryError('corrupt', message, { file: path });
  }
  const stored = await storedInRecording(ports, path, header);
  const recorded = await recordings.openMetadata(path);
  await recorded.close();
  const { compiled, heights, isa, engine, understoryVersion: version } = header;
  const { ticks, scans } = recorded;
  const run: BundledRun = {
    name: compiled.scenario.name,
    scenarioHash: compiled.scenarioHash,
    version,
    engine,
    isa,
    sceneHash: null,
    seconds: null,
    control,
    state: 'finished',
    end: ticks.at(-1)?.activity === 'arrived' ? 'goal' : null,
    error: null,
    simSeconds: (ticks.at(-1)?.timeNs ?? 0) / 1e9,
    points: scans.reduce((sum, { returns }) => sum + returns, 0),
    metrics: null,
    heights: heights.length === 0 ? null : await sha256(bytesOf(heights)),
  };
  const bytes = await bundles.sizeOf(path);
  const onBytes = (done: number): void => progress({ phase: 'copying', done, total: bytes });
  const incoming: IncomingRun = {
    identity: await identityOf(run, scanColumns(scans)),
    run,
    compiled,
    stored,
    scans,
    heights: () => Promise.resolve(heights),
    origin: { kind: 'recording', file: name },
    writeFiles: () => Promise.resolve([]),
    writeRecording: (file) => bundles.copy(path, file, { signal, onBytes }),
  };
  return { bytes, incoming };
}
