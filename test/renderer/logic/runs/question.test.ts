// Asking ground truth: which numbers can be asked for, and what the answer says.
import { describe, expect, it } from 'vitest';
import type { Replies } from '#contract/host/methods.ts';
import { answerText, countProblem } from '#renderer/logic/runs/question.ts';

function scan(toS: number, objectReturns: number): Replies['runs.scans'][number] {
  const scan = { tick: 0, sensor: 0, fromNs: 0, toNs: toS * 1e9, pulses: 1, returns: 1, hash: '' };
  return { ...scan, objectReturns };
}

describe('the number of returns', () => {
  it('is whole, and none at least', () => {
    expect([0, 50].map(countProblem)).toEqual([null, null]);
    for (const typed of [-4, 1.5, '', NaN] as const) {
      expect(countProblem(typed)).toContain('whole number of returns, 0 or more');
    }
  });
});

describe('the answer', () => {
  it('counts what was found', () => {
    expect(answerText('tree-1', 50, [scan(1, 60)])).toBe(
      '1 scan has more than 50 returns from tree-1, marked in the timeline.',
    );
    expect(answerText('oak', 1, [scan(1, 2), scan(2, 3)])).toBe(
      '2 scans have more than 1 return from oak, marked in the timeline.',
    );
  });

  it('says what was looked for where there is nothing, and how much there is', () => {
    expect(answerText('tree-1', 50, [])).toBe('No scan has a return from tree-1.');
    expect(answerText('tree-1', 50, [], [scan(1, 7), scan(2.04, 31), scan(3, 31)])).toBe(
      'No scan has more than 50 returns from tree-1; the most is 31, at 2.0 s.',
    );
  });
});
