// Results of a run, as names and values for a person.
import type { CampaignState } from '#contract/host/campaignMethods.ts';
import type { RunDetails } from '#contract/host/runMethods.ts';
import type { RunMetrics, RunState } from '#contract/host/run.ts';
import {
  formatBytes,
  formatCount,
  formatDate,
  formatMetres,
  formatSeconds,
} from '#renderer/logic/format.ts';

/** A run's state, as badges and filters show it. */
export const stateTexts: Record<RunState | CampaignState, string> = {
  running: 'running',
  finished: 'finished',
  failed: 'failed',
  cancelled: 'stopped',
  interrupted: 'interrupted',
  stopped: 'stopped',
};

export interface NamedText {
  name: string;
  value: string;
}

/** The measured values; none for a run without metrics. */
export function metricTexts(metrics: RunMetrics | null): NamedText[] {
  if (metrics === null) return [];
  const { pathLengthM, shortestLengthM, goalReached, collidedWith } = metrics;
  const share =
    goalReached && shortestLengthM > 0
      ? ` (${(pathLengthM / shortestLengthM).toFixed(2)} × the straight line)`
      : '';
  const texts: NamedText[] = [
    { name: 'Path', value: formatMetres(pathLengthM) + share },
    { name: 'Through ground cover', value: formatMetres(metrics.groundCoverLengthM) },
    ...(metrics.wallSeconds === null
      ? []
      : [
          {
            name: 'Wall time',
            value: `${formatSeconds(metrics.wallSeconds)} + ${formatSeconds(metrics.buildSeconds)} scene build`,
          },
        ]),
    { name: 'Position error, mean', value: `${metrics.meanPositionErrorM.toFixed(3)} m` },
    { name: 'Energy', value: `${(metrics.energyJ / 1000).toFixed(1)} kJ` },
    ...(metrics.peakRssMB === null
      ? []
      : [{ name: 'Peak memory', value: `${metrics.peakRssMB.toFixed(0)} MB` }]),
  ];
  if (metrics.lateCommands !== undefined)
    texts.push({ name: 'Late commands', value: formatCount(metrics.lateCommands) });
  if (collidedWith.length > 0)
    texts.push({ name: 'Collided with', value: collidedWith.join(', ') });
  return texts;
}

/** Where it came from and where it lies. */
export function originTexts(details: RunDetails | null): NamedText[] {
  if (details === null) return [];
  const { scene, recordingBytes, recordingFile } = details;
  const bytes = recordingBytes === null ? 'missing' : formatBytes(recordingBytes);
  const texts: NamedText[] = [];
  if (scene !== null) {
    const { instancedTriangles, instances } = scene;
    texts.push({
      name: 'Scene',
      value: `${formatCount(instancedTriangles)} triangles, ${formatCount(instances)} instances`,
    });
  }
  texts.push(
    { name: 'Scans', value: formatCount(details.scans) },
    { name: 'Started', value: formatDate(details.createdMs) },
    { name: 'Recording', value: `${recordingFile} (${bytes})` },
    { name: 'Run', value: details.id },
  );
  const { origin } = details;
  if (origin !== null) {
    const kind = { bundle: 'bundle', recording: 'recording', 'data-folder': 'data folder' }[
      origin.kind
    ];
    const value = `${kind} ${origin.file}, imported ${formatDate(origin.importedMs)}`;
    texts.push({ name: 'Origin', value }, { name: 'Identity', value: origin.identity });
  }
  return texts;
}
