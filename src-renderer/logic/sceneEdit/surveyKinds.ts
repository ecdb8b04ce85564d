// Kinds of survey in the scene form: what another kind begins with.
import { field } from '#contract/documents/unknownData.ts';

/** The survey of another kind: what all kinds share stays. */
export function surveyOfKind(data: unknown, name: string): Record<string, unknown> {
  const shared = ['sensor', 'mount', 'noise'].flatMap((key) => {
    const value = field(data, key);
    return value === undefined ? [] : [[key, value] as const];
  });
  return { kind: name, ...Object.fromEntries(shared), ...beginnings[name] };
}

const beginnings: Record<string, Record<string, unknown>> = {
  trajectory: { file: 'path.tum' },
  positions: { seconds: 0.1, positions: [{ positionM: [0, 0, 1.5] }] },
  strips: {
    areaM: [
      [-20, -10],
      [20, 10],
    ],
    spacingM: 10,
    heightM: 50,
    speedMPerS: 20,
  },
};
