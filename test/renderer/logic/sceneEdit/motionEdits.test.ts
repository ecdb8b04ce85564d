// Edits of motions and of what moves with them, each made in the text of a scenario, compiled before and after.
import { describe, expect, it } from 'vitest';
import type { DocumentEdit } from '#contract/host/documentMethods.ts';
import type { Pose } from '#contract/pose.ts';
import type { Scenario } from '#contract/documents/scenario.ts';
import { parseScenario } from '#domain/scenario/documentText.ts';
import { documentData, editDocument } from '#domain/scenario/editDocument.ts';
import { sceneFromWorld } from '#domain/scene/georeference.ts';
import { frameAt } from '#domain/shared/motion/frames.ts';
import { motionRecipes } from '#domain/shared/motion/laws.ts';
import { aFromB, compose, rotationFromDegrees } from '#domain/shared/pose.ts';
import {
  addKeyframe,
  keyframeTimes,
  moveKeyframe,
  removeKeyframe,
} from '#renderer/logic/sceneEdit/keyframeEdits.ts';
import { poseEdits } from '#renderer/logic/sceneEdit/gizmoEdits.ts';
import {
  lawNamed,
  motionEdits,
  motionKindEdits,
  placeInFrame,
  stopEdits,
} from '#renderer/logic/sceneEdit/motionEdits.ts';
import { deleteEdits, renameEdits, withCircles } from '#renderer/logic/sceneEdit/sceneChanges.ts';
import { valueAt } from '#renderer/logic/sceneEdit/sceneOutline.ts';

const text = `understory: 2
name: test
scene:
  origin: [1000, 2000, 100]
  materials:
    soil: { reflectance: 0.3 }
  models:
    cube: { kind: box, sizeM: [1, 1, 1], material: soil }
  motions:
    drive: { kind: path, pointsM: [[1000, 2000, 100], [1000, 2050, 100]], speedMPerS: 5, startS: 2 }
    turn: { kind: rotating, pivotM: [1010, 2000, 100], rateDegPerS: 10, phaseDeg: 30 }
    keys: { kind: keyframes, keyframes: [{ timeS: 1, positionM: [1004, 2003, 101], yawDeg: 40, pitchDeg: 5 }, { timeS: 3, positionM: [1014, 2003, 101] }] }
  instances:
    - { name: a, model: cube, positionM: [1003, 2004, 0.5], yawDeg: 20, rollDeg: 90 }
    - { name: b, model: cube, positionM: [1, 0, 0], motion: drive }
    - { name: c, model: cube, positionM: [1012, 2000, 101], onGround: false, motion: turn }
  scatters:
    - { name: grove, model: cube, count: 2, areaM: [[990, 1990], [1010, 1990], [1010, 2010]], keepClear: [{ centreM: [1003, 2004], radiusM: 1 }] }
`;

function checked(of: string): Scenario['scene'] {
  const { value, problems } = parseScenario(of);
  expect(problems).toEqual([]);
  return (value as Scenario).scene;
}

const lawsIn = (of: string) => motionRecipes(sceneFromWorld(checked(of)).motions ?? {}, new Map());

/** Where an instance is at a time, relative to the origin; heights are above the ground where it is on it. */
function poseIn(of: string, index: number, timeS: number): Pose {
  const scene = sceneFromWorld(checked(of));
  const instance = scene.instances[index];
  if (instance === undefined) throw new Error('no such instance');
  const { positionM, yawDeg, pitchDeg, rollDeg, motion } = instance;
  const own = { positionM, rotation: rotationFromDegrees(yawDeg, pitchDeg, rollDeg) };
  const law = lawNamed(motionRecipes(scene.motions ?? {}, new Map()), motion);
  return law === null ? own : compose(frameAt(law, timeS), own);
}

function edited(edits: readonly DocumentEdit[], from = text): string {
  const reply = editDocument(from, edits);
  expect(reply.problems).toEqual([]);
  return reply.text;
}

/** Written in millimetres and hundredths of a degree. */
function expectSamePose(actual: Pose, expected: Pose): void {
  const { positionM, rotation } = aFromB(actual, expected);
  expect(Math.hypot(...positionM)).toBeLessThan(2e-3);
  expect(Math.abs(rotation[3])).toBeGreaterThan(1 - 1e-6);
}

describe('the motion of an instance', () => {
  // Without laws: while the scene is being built.
  it.each([
    ['built', lawsIn(text)],
    ['being built', []],
  ])(
    'is given, changed and taken away without moving it at time 0, in a scene that is %s',
    (_, built) => {
      for (const index of [0, 1, 2]) {
        const before = poseIn(text, index, 0);
        const others = index === 0 ? [] : [undefined];
        for (const name of ['drive', 'turn', 'keys', ...others]) {
          const next = edited(motionEdits(checked(text), built, index, name));
          expectSamePose(poseIn(next, index, 0), before);
          expect(checked(next).instances[index]?.motion).toBe(name);
        }
      }
    },
  );

  it('is taken from all that have it when it is deleted, and its name is said', () => {
    const plans = deleteEdits(documentData(text), ['scene', 'motions', 'drive']);
    expect(plans.breaks).toEqual(['b']);
    const stops = stopEdits(checked(text), lawsIn(text), 'drive');
    const next = edited([...stops, ...plans.edits]);
    expectSamePose(poseIn(next, 1, 0), poseIn(text, 1, 0));
  });

  it('is taken from the dust that it raises when it is deleted or gets another name', () => {
    const dusty = text.replace(
      '  motions:\n',
      '  weather:\n    wheelDust: { motions: [turn, drive, keys] }\n  motions:\n',
    );
    const dustIn = (of: string): unknown => checked(of).weather?.wheelDust?.motions;
    const drive = ['scene', 'motions', 'drive'];
    const data = documentData(dusty);
    expect(deleteEdits(data, drive).breaks).toEqual(['b', 'scene.weather.wheelDust.motions[1]']);
    const stops = stopEdits(checked(dusty), lawsIn(dusty), 'drive');
    const deleted = edited([...stops, ...deleteEdits(data, drive).edits], dusty);
    expect(dustIn(deleted)).toEqual(['turn', 'keys']);
    const renamed = edited(renameEdits(data, drive, 'lorry').edits, dusty);
    expect(dustIn(renamed)).toEqual(['turn', 'lorry', 'keys']);
  });

  it('leaves the circles that keep clear of where it was', () => {
    const data = documentData(text);
    const given = motionEdits(checked(text), lawsIn(text), 0, 'drive');
    expect(withCircles(data, given)).toEqual(given);
    const place: DocumentEdit = {
      path: ['scene', 'instances', 1, 'positionM'],
      op: 'set',
      value: [2, 0, 0],
    };
    expect(withCircles(data, [place])).toEqual([place]);
  });

  it('turns a move by hand at a time into one of its frame', () => {
    const { value } = parseScenario(text);
    for (const [index, name] of [
      [1, 'b'],
      [2, 'c'],
    ] as const) {
      const law = lawNamed(lawsIn(text), checked(text).instances[index]?.motion);
      if (value === null || law === null) throw new Error('no motion');
      const before = { ...poseIn(text, index, 6), scale: 1 };
      const [x, y, z] = before.positionM;
      const after = { ...before, positionM: [x + 2, y - 1, z] as const };
      const next = edited(poseEdits(value, name, before, after, frameAt(law, 6)) ?? []);
      expectSamePose(poseIn(next, index, 6), { ...before, positionM: [x + 2, y - 1, z] });
    }
  });

  it('takes a clicked place at a time', () => {
    const next = edited([
      {
        path: ['scene', 'instances', 1, 'positionM'],
        op: 'set',
        value: placeInFrame(checked(text), lawsIn(text), 1, 6, [1001, 2030, 100]),
      },
    ]);
    expect(poseIn(next, 1, 6).positionM.map((one) => Math.round(1000 * one) / 1000)).toEqual([
      1, 30, 0,
    ]);
  });
});

describe('the kind of a motion', () => {
  it('is changed to any other at its place, and what moves with it stays at time 0', () => {
    for (const [name, index] of [
      ['drive', 1],
      ['turn', 2],
    ] as const) {
      for (const kind of ['keyframes', 'path', 'rotating', 'swinging']) {
        const data = valueAt(documentData(text), ['scene', 'motions', name]);
        const edits = motionKindEdits(checked(text), lawsIn(text), { name, data, kind });
        const next = edited(edits);
        expect(checked(next).motions?.[name]?.kind).toBe(kind);
        expectSamePose(poseIn(next, index, 0), poseIn(text, index, 0));
      }
    }
  });
});

describe('a body', () => {
  const ofBody = `${text.replace('  motions:', '  physics: { file: b.csv, durationS: 2 }\n  motions:\n    fall: { kind: baked }').replace('motion: turn', 'motion: fall')}`;
  // It has moved by 3 m along x and turned by a right angle about its centre, 2 m from the origin, after a second.
  const laws = motionRecipes(
    sceneFromWorld(checked(ofBody)).motions ?? {},
    new Map([
      [
        'fall',
        [
          { timeS: 0, positionM: [2, 0, 0], rotation: rotationFromDegrees(30, 0, 0) },
          { timeS: 1, positionM: [5, 0, 0], rotation: rotationFromDegrees(120, 0, 0) },
        ],
      ],
    ]),
  );

  it('is placed in the world, where it is at time 0', () => {
    const scene = checked(ofBody);
    expect(placeInFrame(scene, laws, 2, 0, [1012, 2000, 101])).toEqual([1012, 2000, 101]);
    // One metre ahead of the centre at first is one metre to the left of it after the turn.
    const [x, y, z] = placeInFrame(scene, laws, 2, 1, [1005, 2001, 101]);
    expect([x, y, z].map((m) => Math.round(m * 1e6) / 1e6)).toEqual([1003, 2000, 101]);
  });

  it('becomes stationary, and a stationary one a body, without a change of its place', () => {
    const scene = checked(ofBody);
    expect(motionEdits(scene, laws, 2, undefined)).toHaveLength(1);
    expect(motionEdits(scene, laws, 0, 'fall')).toHaveLength(1);
  });

  it('begins with the physics that it needs', () => {
    const data = valueAt(documentData(text), ['scene', 'motions', 'turn']);
    const edits = motionKindEdits(checked(text), lawsIn(text), {
      name: 'turn',
      data,
      kind: 'baked',
    });
    const next = checked(edited(edits));
    expect(next.motions?.['turn']?.kind).toBe('baked');
    expect(next.physics?.file).toMatch(/\.csv$/);
  });
});

describe('keyframes', () => {
  const timesIn = (of: string) =>
    keyframeTimes(valueAt(documentData(of), ['scene', 'motions', 'keys']));

  it('are added where the motion is at that time, in order, and not twice', () => {
    const law = lawNamed(lawsIn(text), 'keys');
    if (law === null) throw new Error('no motion');
    const originM = [1000, 2000, 100] as const;
    for (const [timeS, times] of [
      [0, [0, 1, 3]],
      [2.004, [1, 2, 3]],
      [7, [1, 3, 7]],
    ] as const) {
      const added = addKeyframe('keys', timesIn(text), law, timeS, originM);
      if (added === null) throw new Error('nothing was added');
      const next = edited([added.edit]);
      expect(timesIn(next)).toEqual(times);
      const at = times[added.index] ?? NaN;
      const after = lawNamed(lawsIn(next), 'keys');
      expectSamePose(frameAt(after ?? law, at), frameAt(law, at));
    }
    expect(addKeyframe('keys', timesIn(text), law, 3, originM)).toBeNull();
  });

  it('are moved between their neighbours, and removed', () => {
    expect(timesIn(edited([moveKeyframe('keys', [1, 3], 0, 2.5)]))).toEqual([2.5, 3]);
    expect(timesIn(edited([moveKeyframe('keys', [1, 3], 0, 9)]))).toEqual([2.99, 3]);
    expect(timesIn(edited([moveKeyframe('keys', [1, 3], 1, -4)]))).toEqual([1, 1.01]);
    expect(timesIn(edited([removeKeyframe('keys', 0)]))).toEqual([3]);
  });
});
