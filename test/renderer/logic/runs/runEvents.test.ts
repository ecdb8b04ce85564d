// Events of a run: where its collisions are counted, and where ticks are missing.
import { expect, it } from 'vitest';
import { eventAfter, runEvents } from '#renderer/logic/runs/runEvents.ts';

const timeS = Float64Array.of(0.1, 0.2, 0.3, 0.4, 0.9, 1, 1.1);
const collisions = Uint32Array.of(0, 0, 1, 1, 1, 3, 3);

it('are collisions, once for each tick, and gaps of more than a tick', () => {
  const events = runEvents({ timeS, collisions }, null);
  expect(events).toEqual([
    { kind: 'collision', timeS: 0.3, title: 'Collision at 0.3 s' },
    { kind: 'gap', timeS: 0.9, title: 'Nothing recorded from 0.4 to 0.9 s' },
    { kind: 'collision', timeS: 1, title: '2 collisions at 1.0 s' },
  ]);
  expect(eventAfter(events, 0.3)?.timeS).toBe(0.9);
  expect(eventAfter(events, 1)?.timeS).toBe(0.3);
});

it('are none of an even run, of one tick and of none', () => {
  const none = new Uint32Array(3);
  expect(runEvents({ timeS: Float64Array.of(0.1, 0.2, 0.3), collisions: none }, null)).toEqual([]);
  expect(runEvents({ timeS: Float64Array.of(0.1), collisions: none }, null)).toEqual([]);
  expect(runEvents({ timeS: new Float64Array(0), collisions: none }, null)).toEqual([]);
  expect(eventAfter([], 0)).toBeNull();
});

it('are plans that lead elsewhere, in their time among the others', () => {
  const plans = {
    timeS: Float64Array.of(0.1, 0.35, 0.6, 1.1),
    changeM: Float64Array.of(NaN, 3.25, 1.9, 2.5),
  };
  const events = runEvents({ timeS, collisions }, plans);
  expect(events.map((event) => [event.kind, event.timeS])).toEqual([
    ['collision', 0.3],
    ['plan', 0.35],
    ['gap', 0.9],
    ['collision', 1],
    ['plan', 1.1],
  ]);
  expect(events[1]?.title).toBe('Other route at 0.3 s, up to 3.3 m away');
});
