// The bakes of a campaign's scenarios: each planned run, with its seed and fields, must have the scene that its scenario's
// file of baked physics was made for.
import { UnderstoryError } from '#contract/errors.ts';
import { bodyNames } from '#contract/documents/motion.ts';
import type { Campaign } from '#contract/documents/campaign.ts';
import { formatPath, type Problem } from '#contract/documents/problems.ts';
import { bakeDependsOnSeed } from '#domain/physics/bakeHash.ts';
import type { PlannedRun } from '#domain/campaign/planRuns.ts';
import { bakePath } from '#services/documents/bakeFile.ts';
import { findDocument } from '#services/documents/documentFiles.ts';
import type { LoadedScenario } from '#services/documents/documents.ts';
import type { Files } from '#services/ports/files.ts';
import type { CellDocuments } from './cellDocuments.ts';

export interface BakeCheck {
  documents: Pick<CellDocuments, 'loadScenario'>;
  files: Files;
  /** Absolute: scenarios are samples, or files seen from there. */
  file: string;
  signal: AbortSignal;
  /** Awaited between runs. @throws what ends the check */
  yieldNow: () => Promise<void>;
  /** Called with each scenario that has its bake. */
  onLoaded?: (loaded: LoadedScenario) => void;
}

type Run = Pick<PlannedRun, 'scenario' | 'settings' | 'seed'>;

/** Bakes with problems after which the check ends. */
const maxProblems = 20;

/** Settings that may give a scene bodies. */
const ofBodies = /^scene\.(motions|instances|physics)\b/;

/** Problems of the bakes of runs, at the campaign's scenarios. Other problems of the runs are not looked for. */
export async function bakeProblems(
  check: BakeCheck,
  { scenarios }: Pick<Campaign, 'scenarios'>,
  runs: readonly Run[],
): Promise<Problem[]> {
  const { documents, signal, yieldNow, onLoaded } = check;
  const named = new Map<string, Promise<NamedScenario>>();
  const checked = new Set<string>();
  const found = new Map<string, Problem>();
  for (const { scenario, settings, seed } of runs) {
    await yieldNow();
    const loading = named.get(scenario) ?? namedScenario(check, scenario);
    named.set(scenario, loading);
    const { file, hasBodies } = await loading;
    if (!hasBodies && !settings.some((text) => ofBodies.test(text))) continue;
    const ofAnySeed = JSON.stringify([scenario, settings]);
    const ofSeed = JSON.stringify([scenario, settings, seed]);
    if (checked.has(ofAnySeed) || checked.has(ofSeed)) continue;
    const { value, problems } = await documents.loadScenario(file, { seed, settings, signal });
    const hasSeed = value === null || bakeDependsOnSeed(value.compiled.scenario.scene);
    checked.add(hasSeed ? ofSeed : ofAnySeed);
    if (value !== null) onLoaded?.(value);
    for (const problem of problems.filter(({ path }) => path === bakePath)) {
      const at = formatPath(['scenarios', scenarios.indexOf(scenario)]);
      const key = `${at} ${problem.message}`;
      if (!found.has(key)) found.set(key, ofRun(at, problem, { scenario, settings, seed }));
    }
    if (found.size >= maxProblems) break;
  }
  return [...found.values()];
}

interface NamedScenario {
  file: string;
  /** Bodies in the scenario as written. */
  hasBodies: boolean;
}

async function namedScenario(
  { documents, files, file: from, signal }: BakeCheck,
  name: string,
): Promise<NamedScenario> {
  const file = (await findDocument(files, 'scenarios', name, from)) ?? name;
  const { value } = await documents.loadScenario(file, { isBaking: true, signal });
  return { file, hasBodies: value !== null && bodyNames(value.compiled.scenario.scene).length > 0 };
}

/** @throws 'bad-input' with every problem of the bakes */
export async function expectBakes(
  check: BakeCheck,
  campaign: Campaign,
  runs: readonly Run[],
): Promise<void> {
  const problems = await bakeProblems(check, campaign, runs);
  if (problems.length > 0) throw campaignProblems(campaign, problems);
}

/** The error of a campaign with problems. */
export function campaignProblems({ name }: Campaign, problems: Problem[]): UnderstoryError {
  return new UnderstoryError('bad-input', `campaign '${name}' has problems`, { problems });
}

function ofRun(at: string, { path, code, message }: Problem, { settings, seed }: Run): Problem {
  const terms = [`seed=${seed}`, ...settings].join(', ');
  const advice = code === 'not-found' ? '' : '; runs with different bakes need different scenarios';
  return { path: at, code, message: `with ${terms}: ${path}: ${message}${advice}` };
}
