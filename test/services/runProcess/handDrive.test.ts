// A person at the keys, and a run that is driven again.
import { describe, expect, it } from 'vitest';
import { createPerson, createRepeater, deadManS } from '#services/runProcess/handDrive.ts';

const ahead = { speedMPerS: 1, yawRateRadPerS: 0.2 };
const still = { speedMPerS: 0, yawRateRadPerS: 0 };

describe('a person at the keys', () => {
  it('is obeyed until half a second after the last word', () => {
    let nowS = 10;
    const person = createPerson({ nowMs: () => 0, seconds: () => nowS });
    expect(person.command()).toEqual(still);
    person.take(ahead);
    expect(person.command()).toEqual(ahead);
    nowS += deadManS;
    expect(person.command()).toEqual(ahead);
    nowS += 0.01;
    expect(person.command()).toEqual(still);
    person.take({ ...ahead, speedMPerS: -1 });
    expect(person.command()).toEqual({ ...ahead, speedMPerS: -1 });
  });
});

describe('a run that is driven again', () => {
  it('gets each command in its tick, and stops after the last', () => {
    const repeater = createRepeater([still, ahead]);
    expect([0, 1, 2].map((tick) => repeater.command(tick))).toEqual([still, ahead, still]);
  });
});
