// Every problem of a campaign: of its text, of the scenarios and sensors that it names, and of any planned run, which is
// reported at the axis whose value makes it; of a run's bake at its scenario.
import type { Campaign, CampaignAxis, AxisValue } from '#contract/documents/campaign.ts';
import { formatPath, type Problem } from '#contract/documents/problems.ts';
import {
  addNames,
  noNames,
  unknownNames,
  type KnownNames,
} from '#domain/campaign/requestedNames.ts';
import { planRuns, settingText, type PlannedRun } from '#domain/campaign/planRuns.ts';
import { findDocument } from '#services/documents/documentFiles.ts';
import type { LoadedScenario } from '#services/documents/documents.ts';
import type { Files } from '#services/ports/files.ts';
import { bakeProblems } from './checkBakes.ts';
import { createCellDocuments, type CellDocuments } from './cellDocuments.ts';
import { createFileSnapshot } from './fileSnapshot.ts';

export interface CheckOptions {
  /** Absolute: scenarios and sensors are samples, or files seen from there. */
  file: string;
  signal: AbortSignal;
  onProgress: (done: number, total: number) => void;
  /** Awaited between runs. @throws what ends the check */
  yieldNow: () => Promise<void>;
}

/** Runs with problems after which the check ends: a wrong axis makes one of each. */
const maxFaultyRuns = 20;

/** Compiles one run of each combination of values; with bodies, each run that needs a bake of its own. */
export async function runProblems(
  files: Files,
  campaign: Campaign,
  { file, signal, onProgress, yieldNow }: CheckOptions,
): Promise<Problem[]> {
  const snapshot = createFileSnapshot(files).files;
  const documents = createCellDocuments(snapshot);
  const known = noNames();
  const load = (scenario: string, sensor: string | null, settings: readonly string[]) =>
    problemsOfRun({ documents, files: snapshot, file, signal, known }, scenario, sensor, settings);
  const ofNames = await nameProblems(campaign, load);
  if (ofNames.length > 0) return ofNames;
  const problems = new Map<string, Problem>();
  const cells = cellsOf(campaign);
  let faulty = 0;
  for (const [done, run] of cells.entries()) {
    onProgress(done, cells.length);
    await yieldNow();
    const found = await load(run.scenario, run.sensor, run.settings);
    if (found.length === 0) continue;
    for (const problem of await axisProblems(campaign, run, found, load)) {
      problems.set(`${problem.path} ${problem.message}`, problem);
    }
    faulty += 1;
    if (faulty === maxFaultyRuns) break;
  }
  if (problems.size > 0) return [...problems.values()];
  const onLoaded = ({ compiled }: LoadedScenario): void => addNames(known, compiled);
  const ports = { documents, files: snapshot, file, signal, yieldNow, onLoaded };
  const ofBakes = await bakeProblems(ports, campaign, planRuns(campaign));
  if (ofBakes.length > 0) return ofBakes;
  return unknownNames(campaign.measures, known).map(({ path, code, message }) => {
    return { path: formatPath(path), code, message };
  });
}

type Load = (
  scenario: string,
  sensor: string | null,
  settings: readonly string[],
) => Promise<Problem[]>;

/** One planned run of each combination of scenario, sensor and values. */
function cellsOf(campaign: Campaign): PlannedRun[] {
  return planRuns({ ...campaign, seeds: undefined, replicates: 1 });
}

/** Problems of the scenarios and sensors as they are, without any setting. */
async function nameProblems({ scenarios, sensors }: Campaign, load: Load): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const [index, scenario] of scenarios.entries()) {
    const at = formatPath(['scenarios', index]);
    for (const found of await load(scenario, null, [])) problems.push(inside(at, found));
  }
  if (problems.length > 0) return problems;
  const [first = ''] = scenarios;
  for (const [index, sensor] of (sensors ?? []).entries()) {
    const at = formatPath(['sensors', index]);
    for (const found of await load(first, sensor, [])) problems.push(inside(at, found));
  }
  return problems;
}

/** The problems of a run at the axes that make them alone; at `vary` where only several together do. */
async function axisProblems(
  { vary }: Campaign,
  { scenario, sensor, values, settings }: PlannedRun,
  found: readonly Problem[],
  load: Load,
): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const [name, axis] of Object.entries(vary)) {
    const value = values[name] ?? null;
    const paths = typeof axis.set === 'string' ? [axis.set] : axis.set;
    const alone = await load(
      scenario,
      sensor,
      paths.map((path) => settingText(path, value)),
    );
    const at = formatPath(['vary', name, ...placeOf(axis, value)]);
    for (const each of alone) problems.push(inside(at, each, `with ${JSON.stringify(value)}: `));
  }
  if (problems.length > 0) return problems;
  const together = `with ${settings.join(', ')}: `;
  return found.map((each) => inside('vary', each, together));
}

/** Where an axis states a value. */
function placeOf(axis: CampaignAxis, value: AxisValue): (string | number)[] {
  if ('range' in axis) return ['range'];
  if ('normal' in axis) return ['normal'];
  const index = axis.values.indexOf(value);
  return index < 0 ? ['values'] : ['values', index];
}

function inside(at: string, { path, code, message }: Problem, prefix = ''): Problem {
  return { path: at, code, message: `${prefix}${path}: ${message}` };
}

interface LoadPorts {
  documents: CellDocuments;
  files: Files;
  file: string;
  signal: AbortSignal;
  /** Names of the runs that were compiled. */
  known: KnownNames;
}

/** Problems of a run, a missing mission among them; those of its bake are not. */
async function problemsOfRun(
  { documents, files, file, signal, known }: LoadPorts,
  scenario: string,
  sensor: string | null,
  settings: readonly string[],
): Promise<Problem[]> {
  const place = async (folder: 'scenarios' | 'sensors', name: string): Promise<string> =>
    (await findDocument(files, folder, name, file)) ?? name;
  const requested = sensor === null ? null : { sensor: await place('sensors', sensor) };
  const { value, problems } = await documents.loadScenario(
    await place('scenarios', scenario),
    { settings, signal, isBaking: true },
    requested,
  );
  if (value === null) return problems;
  addNames(known, value.compiled);
  const missing = (path: string): Problem[] => [
    { path, code: 'custom', message: 'expected one: a run of a campaign is a drive' },
  ];
  if (value.compiled.scenario.mission === undefined) return missing('mission');
  return value.compiled.sensors.length === 0 ? missing('sensors') : [];
}
