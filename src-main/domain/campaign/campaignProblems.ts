// Rules of a campaign beyond its schema: paths that can be set, measures that can be computed.
import type { Campaign } from '#contract/documents/campaign.ts';
import type { LocatedProblem } from '#contract/documents/problems.ts';
import { parseSettings } from '#domain/scenario/settings.ts';
import { compileMeasure } from './measures.ts';
import { faultText } from './parseExpression.ts';

/** Every problem of paths and measures, each at its place. */
export function campaignProblems({ vary, measures }: Campaign): LocatedProblem[] {
  return [
    ...Object.entries(vary).flatMap(([name, { set }]) => pathProblems(name, set)),
    ...Object.entries(measures).flatMap(([name, text]): LocatedProblem[] => {
      const { fault } = compileMeasure(text);
      if (fault === null) return [];
      return [{ path: ['measures', name], code: 'expression', message: faultText(fault) }];
    }),
  ];
}

function pathProblems(axis: string, set: string | readonly string[]): LocatedProblem[] {
  const paths = typeof set === 'string' ? [set] : set;
  return paths.flatMap((path, index): LocatedProblem[] => {
    const at = ['vary', axis, 'set', ...(typeof set === 'string' ? [] : [index])];
    if (path === 'seed') {
      const message = "expected another field: 'replicates' or 'seeds' vary the seed";
      return [{ path: at, code: 'set', message }];
    }
    const { problems } = parseSettings([`${path}=0`]);
    return problems.map(({ code, message }) => ({
      path: at,
      code,
      message: message.replace(`'${path}=0'`, `'${path}'`),
    }));
  });
}
