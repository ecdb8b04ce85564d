// The order of test files: those that take minutes first, so that a run does not end with one process at work.
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Parts of the names of files that take half a minute or more, the longest first. */
const longest = [
  '/product/courtyardGoal.',
  '/product/readme.',
  '/hosts/runProcess/failures.',
  '/e2e/shell.',
  '/e2e/',
  '/hosts/runProcess/drive.',
  '/hosts/cli/drive.',
  '/hosts/cli/runsBundles.',
  '/product/',
  '/repro/fullAndReadOnlyDisks.',
  '/workers/identity.',
  '/hosts/',
];

/** Sorts `longest` first, and the rest as vitest does. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification): number => {
      const found = longest.findIndex((part) => moduleId.includes(part));
      return found === -1 ? longest.length : found;
    };
    return [...sorted].sort((a, b) => rank(a) - rank(b));
  }
}
