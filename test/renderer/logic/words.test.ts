// Numbers, commands and failures as a person reads them.
import { describe, expect, it } from 'vitest';
import { UnderstoryError } from '#contract/errors.ts';
import {
  bytesText,
  factorText,
  metresText,
  secondsText,
  shortCountText,
  speedText,
} from '#domain/shared/formats.ts';
import { problemsByField, sentenceOf } from '#renderer/logic/problems.ts';

describe('numbers', () => {
  it('carry their unit', () => {
    expect(secondsText(9.96)).toBe('10.0 s');
    expect(secondsText(125.4)).toBe('2 min 05 s');
    expect(factorText(1.246)).toBe('1.25 ×');
    expect(factorText(312.4)).toBe('312 ×');
    expect(metresText(130.04)).toBe('130.0 m');
    expect(metresText(1234)).toBe('1.23 km');
    expect(speedText(-0.001)).toBe('0.00 m/s');
    expect(shortCountText(1_234_567)).toBe('1.23 M');
    expect(bytesText(34_100_000)).toBe('34.1 MB');
    expect(bytesText(12)).toBe('12 B');
  });

  it('are a dash where they are not known', () => {
    for (const format of [secondsText, factorText, metresText, speedText, shortCountText]) {
      expect(format(null)).toBe('–');
      expect(format(Number.NaN)).toBe('–');
    }
  });
});

describe('failures', () => {
  const refused = new UnderstoryError('bad-input', 'the drive was refused', {
    problems: [
      { path: 'seed', code: 'too_small', message: 'expected 0 or more' },
      { path: 'sensors[0].mount', code: 'custom', message: 'expected a mount' },
    ],
  });

  it('are split by field', () => {
    expect(problemsByField(refused, ['scenario', 'seed'])).toEqual({
      byField: { seed: 'expected 0 or more' },
      rest: 'the drive was refused: sensors[0].mount: expected a mount',
    });
    expect(problemsByField(new Error('no disk'), ['seed'])).toEqual({
      byField: {},
      rest: 'no disk',
    });
  });

  it('are one sentence, problems and all', () => {
    expect(sentenceOf(refused)).toBe(
      'the drive was refused: seed: expected 0 or more; sensors[0].mount: expected a mount',
    );
  });

  it('have each problem once where their message lists them, too', () => {
    const lines = '\n  seed: expected 0 or more\n  sensors[0].mount: expected a mount';
    const listing = new UnderstoryError('bad-input', `the drive was refused:${lines}`, {
      problems: [
        { path: 'seed', message: 'expected 0 or more' },
        { path: 'sensors[0].mount', message: 'expected a mount' },
      ],
    });
    expect(sentenceOf(listing)).toBe(sentenceOf(refused));
    expect(problemsByField(listing, ['seed']).rest).toBe(problemsByField(refused, ['seed']).rest);
  });
});
