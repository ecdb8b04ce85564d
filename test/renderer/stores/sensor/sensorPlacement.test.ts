// Where the sensor of the next scan is: as the scenario mounts it at the start of the mission, then where it is placed.
import { beforeEach, expect, it, vi } from 'vitest';
import { nextTick } from 'vue';
import { useScene } from '#renderer/stores/scene/scene.ts';
import {
  createSensorPlacement,
  type SensorPlacement,
} from '#renderer/stores/sensor/sensorPlacement.ts';
import { answerScenario, sceneContents } from '../hostAnswers.ts';
import { openPage, type OpenPage } from '../openPage.ts';

let page: OpenPage;
let failures: unknown[];
const placed = vi.fn();
const heightBelow = vi.fn((xM: number) => Promise.resolve(xM / 10));

beforeEach(() => {
  failures = [];
  placed.mockClear();
  heightBelow.mockReset().mockImplementation((xM) => Promise.resolve(xM / 10));
  page = openPage({ at: '#/scene' });
  scenario({ mission: { startM: [3, 4], startYawDeg: 90 }, sensors: mounts });
});

const mounts = [
  { name: 'front', mount: { positionM: [1, 0, 1.5], yawDeg: 10, pitchDeg: -5 } },
  { name: 'rear', mount: { positionM: [-2, 0.5, 0.8], yawDeg: 180, pitchDeg: 0 } },
];

/** The host's answer to what the text says. */
function scenario(value: unknown): void {
  const parse = (text: string): unknown => {
    if (text === 'broken') throw new Error('the text cannot be read');
    return value;
  };
  answerScenario(page, { text: 'of the file', parse });
}

async function open(text: string | null = null): Promise<SensorPlacement> {
  const scene = page.within(() => useScene());
  Object.assign(scene, { scenario: '/s.yaml', text });
  scene.contents = sceneContents([20, 10, 5]);
  const options = { heightBelow, placed, failed: (error: unknown) => failures.push(error) };
  const placement = page.within(() => createSensorPlacement(options));
  await vi.waitFor(() => expect(placed.mock.calls.length + failures.length).toBe(1));
  return placement;
}

it('is the mount of the first sensor on the vehicle at its start, above the ground there', async () => {
  const { pose, mountM } = await open();
  // A metre ahead of (3, 4), heading north.
  expect(pose).toEqual({ xM: 3, yM: 5, zM: 1.8, yawDeg: 100, pitchDeg: -5 });
  expect(mountM.value).toBe(1.5);
  expect(heightBelow.mock.calls[0]?.[0]).toBeCloseTo(3, 12);
});

it('without mission and sensors is above the middle of the scene', async () => {
  scenario({});
  const { pose } = await open();
  expect(pose).toEqual({ xM: 10, yM: 5, zM: 3, yawDeg: 0, pitchDeg: 0 });
});

it('stays where it was placed while the same scenario is built again', async () => {
  const { pose, standAt } = await open();
  standAt({ xM: 8 });
  page.within(() => useScene()).contents = sceneContents([40, 10, 5]);
  await nextTick();
  await nextTick();
  expect(pose.xM).toBe(8);
  expect(placed).toHaveBeenCalledTimes(1);
});

it('follows the ground below it and the mount until it is placed', async () => {
  const { pose } = await open();
  heightBelow.mockImplementation(() => Promise.resolve(7));
  scenario({ mission: { startM: [3, 4], startYawDeg: 90 }, sensors: mounts.slice(1) });
  page.within(() => useScene()).contents = sceneContents([40, 10, 5]);
  await vi.waitFor(() => expect(placed).toHaveBeenCalledTimes(2));
  expect(pose.zM).toBe(7.8);
});

it('stays where it is placed while its start is still being looked for', async () => {
  const { pose, standAt } = await open();
  let found = (heightM: number): void => expect.fail(`${heightM} m were not asked for`);
  heightBelow.mockImplementation(() => new Promise((resolve) => (found = resolve)));
  page.within(() => useScene()).contents = sceneContents([40, 10, 5]);
  await vi.waitFor(() => expect(heightBelow).toHaveBeenCalledTimes(2));
  standAt({ xM: 8 });
  found(7);
  await nextTick();
  expect(pose).toMatchObject({ xM: 8, zM: 1.8 });
});

it('follows another scenario', async () => {
  const { pose, standAt } = await open();
  standAt({ xM: 8 });
  scenario({});
  const scene = page.within(() => useScene());
  scene.scenario = '/other.yaml';
  scene.contents = sceneContents([40, 10, 5]);
  await vi.waitFor(() => expect(placed).toHaveBeenCalledTimes(2));
  expect(pose.xM).toBe(20);
});

it('reports why a start is not known, and stays', async () => {
  const { pose } = await open('broken');
  expect(String(failures[0])).toContain('cannot be read');
  expect(pose).toMatchObject({ xM: 0, yM: 0, zM: 2 });
  expect(placed).not.toHaveBeenCalled();
});
