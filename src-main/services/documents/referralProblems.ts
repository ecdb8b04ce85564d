// Problems in the files that a scenario refers to, where the scenario itself has problems and cannot be
// loaded. What would be found in the end is found now, each problem at the place that refers to the file.
import type { Problem } from '#contract/documents/problems.ts';
import { parsePlant, parseSensor } from '#domain/scenario/documentText.ts';
import { referralsOf, type Referral } from '#domain/scenario/referrals.ts';
import { readReferred } from './documentFiles.ts';
import type { Files } from '#services/ports/files.ts';
import { readHeightField, readMesh } from './sceneFiles.ts';

/**
 * Of the files that the text of the scenario file `from` refers to, but for those at a path that has problems already;
 * `withSensors`: of its sensors as well.
 */
export async function referralProblems(
  files: Files,
  from: string,
  text: string,
  known: readonly Problem[],
  withSensors: boolean,
): Promise<Problem[]> {
  const isKnown = new Set(known.map(({ path }) => path));
  const referrals = referralsOf(text).filter(
    ({ kind, path }) => !isKnown.has(path) && (withSensors || kind !== 'sensor'),
  );
  const read = referrals.map((referral) => problemsOf(files, from, referral));
  return (await Promise.all(read)).flat();
}

async function problemsOf(
  files: Files,
  from: string,
  { kind, path, name }: Referral,
): Promise<Problem[]> {
  const file = files.resolveFrom(from, name);
  switch (kind) {
    case 'sensor':
      return (await readReferred(files, 'sensors', parseSensor, name, from, path)).problems;
    case 'plant':
      return (await readReferred(files, 'plants', parsePlant, name, from, path)).problems;
    case 'mesh':
      return (await readMesh(files, file, path)).problems;
    case 'height-field':
      return (await readHeightField(files, file, path)).problems;
  }
}
