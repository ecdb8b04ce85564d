// Results of a run, as names and values for a person.
import type { CampaignState } from '#contract/host/campaignMethods.ts';
import type { RunDetails } from '#contract/host/runMethods.ts';
import type { RunState } from '#contract/host/run.ts';
import {
  runMetricNames,
  runMetrics,
  type RunMetricName,
  type RunMetrics,
} from '#contract/host/runMetrics.ts';
import { bytesText, shortCountText, unknownText } from '#domain/shared/formats.ts';
import { metricText } from '#domain/shared/runMetrics.ts';
import { formatTime } from '#renderer/logic/format.ts';

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

/** Metrics that the page of a run shows large. */
export const mainMetrics = [
  'simSeconds',
  'realTimeFactor',
  'points',
  'distanceToGoalM',
  'plans',
  'collisions',
] as const satisfies RunMetricName[];

/** The other metrics that are known; none for a run without metrics. */
export function metricTexts(metrics: RunMetrics | null): NamedText[] {
  return runMetricNames
    .filter((name) => !(mainMetrics as readonly RunMetricName[]).includes(name))
    .map((name) => ({ name: runMetrics[name].title, value: metricText(name, metrics) }))
    .filter(({ value }) => value !== '' && value !== unknownText);
}

/** Where it came from and where it lies. */
export function originTexts(details: RunDetails | null): NamedText[] {
  if (details === null) return [];
  const { scene, recordingBytes, recordingFile } = details;
  const bytes = recordingBytes === null ? 'missing' : bytesText(recordingBytes);
  const texts: NamedText[] = [];
  if (scene !== null) {
    const { instancedTriangles, instances } = scene;
    texts.push({
      name: 'Scene',
      value: `${shortCountText(instancedTriangles)} triangles, ${shortCountText(instances)} instances`,
    });
  }
  texts.push(
    { name: 'Scans', value: shortCountText(details.scans) },
    { name: 'Started', value: formatTime(details.createdMs) },
    { name: 'Recording', value: `${recordingFile} (${bytes})` },
    { name: 'Run', value: details.id },
  );
  const { origin } = details;
  if (origin !== null) {
    const kind = { bundle: 'bundle', recording: 'recording', 'data-folder': 'data folder' }[
      origin.kind
    ];
    const value = `${kind} ${origin.file}, imported ${formatTime(origin.importedMs)}`;
    texts.push({ name: 'Origin', value }, { name: 'Identity', value: origin.identity });
  }
  return texts;
}
