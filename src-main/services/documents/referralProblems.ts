// Problems in the files that a scenario refers to, where the scenario itself has problems and cannot be
// loaded. What would be found in the end is found now, each problem at the place that refers to the file.
import type { Problem } from '#contract/documents/problems.ts';
import { isFileModelKind } from '#contract/documents/scene.ts';
import type { Referral } from '#domain/scenario/referrals.ts';
import type { Files } from '#services/ports/files.ts';
import { problem, readable, readReferred } from './documentFiles.ts';
import { noBake } from './bakeFile.ts';
import { readMesh } from './sceneFiles.ts';

/**
 * Problems of the files that the text of the scenario file `from` refers to, except at a path that has problems
 * already; `withSensors`: of its sensors as well.
 */
export async function referralProblems(
  files: Files,
  from: string,
  text: string,
  known: readonly Problem[],
  withSensors: boolean,
  signal?: AbortSignal,
): Promise<Problem[]> {
  const isKnown = new Set(known.map(({ path }) => path));
  const referrals = (await files.texts.referrals({ name: from, signal }, text)).filter(
    ({ kind, path }) => !isKnown.has(path) && (withSensors || kind !== 'sensor'),
  );
  const read = referrals.map((referral) => problemsOf(files, from, referral, signal));
  return (await Promise.all(read)).flat();
}

async function problemsOf(
  files: Files,
  from: string,
  { kind, path, name }: Referral,
  signal?: AbortSignal,
): Promise<Problem[]> {
  const file = files.resolveFrom(from, name);
  if (isFileModelKind(kind)) {
    return (await readMesh(files, file, path, kind, signal)).problems;
  }
  switch (kind) {
    case 'sensor':
    case 'plant':
    case 'species':
      return (await readReferred(files, { kind, name, from, at: path, signal })).problems;
    case 'height-field':
      return (await readable(path, () => files.greyPicture(file, signal))).problems;
    case 'bake':
      return (await files.exists(file)) ? [] : [noBake(path, file, from)];
    case 'trajectory':
    case 'stand':
      // Why no more: its lines are read with what names it, and may be a million.
      return (await files.exists(file)) ? [] : [problem(path, `there is no file '${file}'`)];
  }
}
