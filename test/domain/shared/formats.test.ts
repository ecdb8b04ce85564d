// Numbers as text.
import { describe, expect, it } from 'vitest';
import {
  bytesText,
  countText,
  numberText,
  shortCountText,
  withUnit,
} from '#domain/shared/formats.ts';

describe('counts', () => {
  it('are grouped by thousands', () => {
    expect([0, 1234567, -1234.6].map(countText)).toEqual(['0', '1,234,567', '−1,235']);
  });

  it('are short with three significant digits and an SI prefix', () => {
    expect([0, 789, 1000, 45_678, 999_949, 999_950, 1_234_567, 2.5e10].map(shortCountText)).toEqual(
      ['0', '789', '1.00 k', '45.7 k', '1.00 M', '1.00 M', '1.23 M', '25.0 G'],
    );
  });
});

it('bytes are decimal', () => {
  expect([0, 999, 1000, 34_100_000, 999_960_000, 1.5e9, 2.25e13].map(bytesText)).toEqual([
    ...['0 B', '999 B', '1.0 kB', '34.1 MB', '1.00 GB', '1.50 GB', '22.50 TB'],
  ]);
});

describe('numbers', () => {
  it('have four significant digits and a true minus sign', () => {
    expect([0, -0.25, 1.23456, 0.00012346, 1234.56, 98_765.4].map(numberText)).toEqual([
      ...['0', '−0.25', '1.235', '0.0001235', '1235', '98765'],
    ]);
  });

  it('are written with an exponent where they are very large or very small', () => {
    expect([1e-5, -1.25e-7, 1.2e7, Infinity, -Infinity].map(numberText)).toEqual([
      ...['1e−5', '−1.25e−7', '1.2e7', 'Infinity', '−Infinity'],
    ]);
  });

  it('precede their unit; pure numbers have none', () => {
    expect([withUnit(0.25, 'm'), withUnit(3, '1'), withUnit(3, '')]).toEqual(['0.25 m', '3', '3']);
  });
});
