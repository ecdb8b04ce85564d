// Edits of the scenario's text by a move.
import { describe, expect, it } from 'vitest';
import type { Scenario } from '#contract/documents/scenario.ts';
import { quaternionOf } from '#domain/shared/pose.ts';
import { parseScenario } from '#domain/scenario/documentText.ts';
import { anglesDeg, poseEdits } from '#renderer/logic/sceneEdit/gizmoEdits.ts';

const { value } = parseScenario(`understory: 2
name: test
scene:
  materials:
    soil: { reflectance: 0.3 }
  models:
    cube: { kind: box, sizeM: [1, 1, 1], material: soil }
  walls:
    - { name: wall, fromM: [0, 0], toM: [4, 0], heightM: 2, thicknessM: 0.2, material: soil }
  instances:
    - { name: a, model: cube, positionM: [0, 0, 0] }
    - { name: b, model: cube, positionM: [1, 2, 0.5], yawDeg: 10, scale: 2 }
`);
const scenario = value as Scenario;
const turned = (yawDeg: number, pitchDeg = 0, rollDeg = 0) =>
  quaternionOf({
    yawRad: (yawDeg * Math.PI) / 180,
    pitchRad: (pitchDeg * Math.PI) / 180,
    rollRad: (rollDeg * Math.PI) / 180,
  });
// The ground below is 3 m high, and the instance is 0.5 m above it.
const before = { positionM: [1, 2, 3.5], rotation: turned(10), scale: 2 } as const;

describe('edits of a move by hand', () => {
  it('move by the difference, so that heights above ground stay', () => {
    const after = { ...before, positionM: [4.00049, 1, 3.5] } as const;
    expect(poseEdits(scenario, 'b', before, after)).toEqual([
      { path: ['scene', 'instances', 1, 'positionM'], op: 'set', value: [4, 1, 0.5] },
    ]);
  });

  it('set only what was changed: angles in degrees, the scale', () => {
    expect(poseEdits(scenario, 'b', before, before)).toEqual([]);
    const after = { ...before, rotation: turned(-35.5, 20, 5), scale: 3 };
    expect(poseEdits(scenario, 'b', before, after)).toEqual([
      { path: ['scene', 'instances', 1, 'yawDeg'], op: 'set', value: -35.5 },
      { path: ['scene', 'instances', 1, 'pitchDeg'], op: 'set', value: 20 },
      { path: ['scene', 'instances', 1, 'rollDeg'], op: 'set', value: 5 },
      { path: ['scene', 'instances', 1, 'scale'], op: 'set', value: 3 },
    ]);
  });

  it('move both ends of a wall, and turn it about its middle', () => {
    const before = { positionM: [2, 0, 1], rotation: turned(0), scale: 1 } as const;
    const after = { positionM: [2, 5, 1], rotation: turned(90), scale: 1 } as const;
    expect(poseEdits(scenario, 'wall', before, after)).toEqual([
      { path: ['scene', 'walls', 0, 'fromM'], op: 'set', value: [2, 3] },
      { path: ['scene', 'walls', 0, 'toM'], op: 'set', value: [2, 7] },
    ]);
  });

  it('are empty for an object that the document does not place', () => {
    expect(poseEdits(scenario, 'grass-12', before, before)).toBeNull();
  });

  it('read angles back as the host makes them', () => {
    const { yawDeg, pitchDeg, rollDeg } = anglesDeg(turned(-120, 33, -70));
    expect([yawDeg, pitchDeg, rollDeg].map((angle) => Number(angle.toFixed(6)))).toEqual([
      -120, 33, -70,
    ]);
  });
});
