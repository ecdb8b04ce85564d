// From what a form says to requests and command lines, and from keys to commands.
import { describe, expect, it } from 'vitest';
import {
  emptyForm,
  formProblems,
  storedForm,
  paperSensors,
  requestsOf,
} from '#renderer/logic/drive/driveForm.ts';
import { commandFor, handKey, type HandKey } from '#renderer/logic/drive/handKeys.ts';

describe('a form about drives', () => {
  it('asks for one run with the rig of the scenario, and leaves out what is not said', () => {
    expect(requestsOf({ ...emptyForm(), scenario: 'clearing' })).toEqual([
      { scenario: 'clearing', seed: 1 },
    ]);
  });

  it('asks for a run of each sensor, alike but for it, and none twice', () => {
    const form = {
      ...emptyForm(),
      scenario: 'courtyard',
      sensors: [...paperSensors, paperSensors[1]],
    };
    const requests = requestsOf({ ...form, goalM: [10, -4.5], seconds: 12, speed: 0.5 });
    expect(requests.map(({ sensor }) => sensor)).toEqual([...paperSensors]);
    expect(requests[0]).toEqual({
      sensor: paperSensors[0],
      scenario: 'courtyard',
      seed: 1,
      seconds: 12,
      goalM: [10, -4.5],
      speed: 0.5,
    });
  });

  it('records misses where that is asked for', () => {
    const [request] = requestsOf({ ...emptyForm(), scenario: 'clearing', recordsMisses: true });
    expect(request?.settings).toEqual(['recording.misses=true']);
    expect(storedForm({ recordsMisses: true }).recordsMisses).toBe(true);
  });

  it('says who drives only where it is not the vehicle itself', () => {
    const [byHand] = requestsOf({ ...emptyForm(), scenario: 'clearing', control: 'hand' });
    expect(byHand).toMatchObject({ control: 'hand' });
  });

  it('takes both numbers of a place, or none', () => {
    const ofGoal = (goalM: [number | '', number | '']): unknown =>
      formProblems({ ...emptyForm(), goalM }, new Set()).goalM;
    expect(ofGoal(['', ''])).toBeUndefined();
    expect(ofGoal([0, 0])).toBeUndefined();
    expect(ofGoal([3, ''])).toBe('enter x and y, or neither');
    expect(ofGoal(['', 0])).toBe('enter x and y, or neither');
  });

  it('refuses numbers that no run can have, and text', () => {
    const of = (change: object, ...unreadable: string[]): unknown =>
      formProblems({ ...emptyForm(), ...change }, new Set(unreadable));
    for (const seed of ['', 0, 2 ** 32 - 1]) expect(of({ seed })).toEqual({});
    for (const seed of [-1, 1.5, 2 ** 32]) {
      expect(of({ seed })).toEqual({ seed: 'a whole number from 0 to 4294967295' });
    }
    for (const seconds of ['', 0.1, 90]) expect(of({ seconds })).toEqual({});
    for (const seconds of [0, -3]) {
      expect(of({ seconds })).toEqual({ seconds: 'more than 0 s, or empty' });
    }
    expect(of({ startM: ['', ''], seed: '' }, 'startM', 'seed')).toEqual({
      startM: 'not a number',
      seed: 'not a number',
    });
  });

  it('is kept as it was, and takes defaults for stored junk', () => {
    const form = {
      scenario: 'box',
      sensors: ['vlp-16', ''],
      seed: 7,
      startM: [1, -2],
      goalM: ['', ''],
      control: 'hand',
      speed: 0.5,
      seconds: '',
      recordsMisses: true,
    };
    expect(storedForm(JSON.parse(JSON.stringify(form)))).toEqual(form);
    const junk = [null, 3, [], { sensors: [], seed: 'x', startM: [1], goalM: [{}, 2] }];
    for (const kept of junk) expect(storedForm(kept)).toEqual(emptyForm());
    expect(storedForm({ control: 'robot', seed: 4 })).toEqual({ ...emptyForm(), seed: 4 });
  });
});

describe('keys that drive', () => {
  const held = (...keys: HandKey[]): ReturnType<typeof commandFor> => commandFor(new Set(keys), 2);

  it('are W A S D and the arrows', () => {
    const codes = ['KeyW', 'ArrowDown', 'KeyA', 'ArrowRight', 'KeyX'];
    expect(codes.map(handKey)).toEqual(['ahead', 'back', 'left', 'right', null]);
  });

  it('add up, and undo each other', () => {
    expect(held('ahead', 'left')).toEqual({ speedMPerS: 2, yawRateRadPerS: 0.6 });
    expect(held('back', 'right')).toEqual({ speedMPerS: -1, yawRateRadPerS: -0.6 });
    expect(held('ahead', 'back', 'left', 'right')).toEqual({ speedMPerS: 0, yawRateRadPerS: 0 });
    expect(held()).toEqual({ speedMPerS: 0, yawRateRadPerS: 0 });
  });
});
