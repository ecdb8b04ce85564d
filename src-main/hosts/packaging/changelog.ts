// The release step of CHANGELOG.md (Keep a Changelog): what was unreleased becomes a version. Pure.
import { UnderstoryError } from '#contract/errors.ts';

const unreleasedHeading = '## [Unreleased]';

/**
 * The changelog with the entries under Unreleased moved to `version`, dated `date` (YYYY-MM-DD).
 * @throws UnderstoryError 'bad-input' where nothing is unreleased or the version has a heading already
 */
export function releaseChangelog(text: string, version: string, date: string): string {
  if (text.includes(`## [${version}]`)) {
    throw new UnderstoryError('bad-input', `CHANGELOG.md has a version ${version} already`);
  }
  if (unreleasedEntries(text) === '') {
    throw new UnderstoryError('bad-input', 'CHANGELOG.md has no entries under [Unreleased]');
  }
  return text.replace(unreleasedHeading, `${unreleasedHeading}\n\n## [${version}] - ${date}`);
}

/** The text between the heading Unreleased and the next version. */
export function unreleasedEntries(text: string): string {
  const [, entries = ''] =
    /^## \[Unreleased\]\s*\n([\s\S]*?)(?=^## \[|(?![\s\S]))/m.exec(text) ?? [];
  return entries.trim();
}

const versionPattern = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/;

/** @throws UnderstoryError 'bad-input' unless `next` is MAJOR.MINOR.PATCH above `current` */
export function checkVersion(current: string, next: string): void {
  if (!versionPattern.test(next)) {
    throw new UnderstoryError(
      'bad-input',
      `'${next}' is not a version: expected MAJOR.MINOR.PATCH`,
    );
  }
  const parts = (version: string): number[] => version.split('.').map(Number);
  const [before, after] = [parts(current), parts(next)];
  const first = after.findIndex((part, index) => part !== before[index]);
  if (first === -1 || (after[first] ?? 0) < (before[first] ?? 0)) {
    throw new UnderstoryError('bad-input', `version ${next} is not above the current ${current}`);
  }
}
