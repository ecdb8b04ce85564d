// New scenarios with a learned model pass the checks of scenarios, and stand on the ground of the log.
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { scenarioSchema } from '#contract/documents/scenario.ts';
import { distanceProblems } from '#contract/documents/scenarioPlaces.ts';
import { groundBelow, newSceneText, type NewScene } from '#domain/scene/newModelScene.ts';

const near: NewScene = {
  title: 'Site: "a"',
  file: '../models/a.ply',
  crs: null,
  originM: [0, 0, 0],
  groundM: 0.04,
  firstM: [-10, 2, 2],
  lastM: [10, 2, 2],
  groundSizeM: 400,
};

describe('a new scenario', () => {
  it('drives from where the log began to where it ended', () => {
    const document: unknown = parse(newSceneText(near));
    const { data, error } = scenarioSchema.safeParse(document);
    expect(error).toBeUndefined();
    expect(data).toMatchObject({
      name: 'Site: "a"',
      mission: { startM: [-10, 2], goalM: [10, 2], startYawDeg: 0 },
      scene: { models: { site: { kind: 'learned', file: '../models/a.ply' } } },
    });
    expect(data?.scene.origin).toBeUndefined();
    expect(data?.scene.crs).toBeUndefined();
  });

  it('of a georeferenced site has its origin there, with the ground below the sensor', () => {
    const far: NewScene = {
      ...near,
      crs: 'PROJCS["UTM",UNIT["metre",1]]',
      originM: [500_000, 4_000_000, 310],
      groundM: 308.2,
      firstM: [500_010, 4_000_000, 310],
      lastM: [500_010, 4_000_001, 310],
    };
    const { data } = scenarioSchema.safeParse(parse(newSceneText(far)));
    if (data === undefined) throw new Error('the scenario has problems');
    expect(data.scene.origin).toEqual([500_000, 4_000_000, 308.2]);
    expect(data.scene.crs).toBe(far.crs);
    expect(data.scene.ground).toMatchObject({ centreM: [500_000, 4_000_000], zM: 308.2 });
    expect(distanceProblems(data)).toEqual([]);
    // Too short a drive would be at its goal at once: it continues in its direction.
    expect(data.mission?.goalM).toEqual([500_010, 4_000_006]);
    expect(data.mission?.startYawDeg).toBe(90);
  });

  it('has its ground where the site is, on the hill that it is on', () => {
    const hill: NewScene = { ...near, originM: [640, -310, 250], groundM: 248.5 };
    const { data } = scenarioSchema.safeParse(parse(newSceneText(hill)));
    expect(data?.scene.origin).toEqual([0, 0, 248.5]);
    expect(data?.scene.ground).toMatchObject({ centreM: [640, -310], zM: 248.5 });
  });

  it('stands on the ground that the sensor saw, not on its vehicle', () => {
    const turns = Array.from({ length: 60 }, (_, turn) => (turn * Math.PI) / 30);
    const ring = (rangeM: number, zM: number): number[] =>
      turns.flatMap((turn) => [rangeM * Math.cos(turn), rangeM * Math.sin(turn), zM]);
    const cloud = Float32Array.from([...ring(1.2, 0.74), ...ring(7.5, 0.01), ...ring(9, 1.9)]);
    expect(groundBelow([cloud], [0, 0])).toBeCloseTo(0.01, 6);
  });

  it('stands on the lowest returns near its start', () => {
    const cloud = Float32Array.from([0, 0, 0.02, 1, 0, 0.01, 0, 1, 2.5, 1, 1, 0.03, 50, 0, -9]);
    expect(groundBelow([cloud], [0, 0])).toBeCloseTo(0.01, 6);
    expect(groundBelow([cloud.subarray(0, 6), cloud.subarray(6)], [0, 0])).toBeCloseTo(0.01, 6);
    expect(groundBelow([cloud], [200, 0])).toBeNull();
  });
});
