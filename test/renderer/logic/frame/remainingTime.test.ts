import { describe, expect, it } from 'vitest';
import { formatRemaining } from '#renderer/logic/format.ts';
import { remainingMs, shareDone } from '#renderer/logic/frame/remainingTime.ts';

describe('remaining time', () => {
  it('extrapolates from the first report', () => {
    const first = { share: 0.2, atMs: 1000 };
    expect(remainingMs(first, { share: 0.6, atMs: 5000 })).toBeCloseTo(4000, 6);
    expect(remainingMs(first, { share: 1, atMs: 5000 })).toBe(0);
  });

  it('is not known too early, nor when nothing moves, nor when it decreases', () => {
    const first = { share: 0, atMs: 0 };
    expect(remainingMs(first, { share: 0.01, atMs: 60_000 })).toBeNull();
    expect(remainingMs(first, { share: 0.5, atMs: 100 })).toBeNull();
    expect(remainingMs({ share: 0.5, atMs: 0 }, { share: 0.4, atMs: 9000 })).toBeNull();
    expect(remainingMs(first, { share: Number.NaN, atMs: 9000 })).toBeNull();
  });

  it('needs the total', () => {
    expect(shareDone(null)).toBeNull();
    expect(shareDone({ phase: 'a', done: 3, total: 0 })).toBeNull();
    expect(shareDone({ phase: 'a', done: 9, total: 6 })).toBe(1);
    expect(shareDone({ phase: 'a', done: 3, total: 12 })).toBe(0.25);
  });

  it('is shown in steps that do not flicker', () => {
    expect(formatRemaining(null)).toBe('remaining time unknown');
    expect(formatRemaining(1200)).toBe('a few seconds left');
    expect(formatRemaining(31_000)).toBe('about 35 s left');
    expect(formatRemaining(58_000)).toBe('about 1 min left');
    expect(formatRemaining(7_500_000)).toBe('about 2 h 5 min left');
  });
});
