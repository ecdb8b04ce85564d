// Which sensor is looked at: what of it survives a reload, and what the open scene says of its own.
import { describe, expect, it } from 'vitest';
import { parseWith } from '#contract/documents/problems.ts';
import { scenarioSchema, type SensorMount } from '#contract/documents/scenario.ts';
import { storedChoice } from '#renderer/logic/sensor/storedChoice.ts';
import { mountText, sensorOfMount } from '#renderer/logic/sensor/mountedSensors.ts';

function mountOf(sensor: string, mount: object = {}): SensorMount {
  const sensors = [{ name: 'lidar', sensor, mount }];
  const document = { understory: 2, name: 'x', scene: { materials: {} }, sensors };
  const [found] = parseWith(scenarioSchema, document).value?.sensors ?? [];
  if (found === undefined) throw new Error('the scenario has problems');
  return found;
}

describe('what is kept of the choice', () => {
  it('comes back as it was', () => {
    const choice = { chosen: 'vlp-16', isPicked: true, mountedAs: 'lidar' };
    const run = { rangeM: 25, rateHz: 20, mode: 'first' };
    expect(storedChoice(JSON.stringify({ ...choice, ...run }))).toEqual({ ...choice, ...run });
  });

  it.each([
    ['nothing', null],
    ['no JSON', '{'],
    ['another kind of value', '7'],
    ['other kinds of values', '{"chosen":7,"isPicked":true,"rangeM":-1,"rateHz":"x","mode":1}'],
  ])('is the beginning where it is junk: %s', (_, text) => {
    expect(storedChoice(text)).toEqual({
      chosen: '',
      isPicked: false,
      mountedAs: null,
      rangeM: 10,
      rateHz: null,
      mode: null,
    });
  });
});

describe('a sensor of a scene', () => {
  it.each([
    ['vlp-16', '/my/yard.yaml', 'vlp-16'],
    ['own.yaml', '/my/yard.yaml', '/my/own.yaml'],
    ['rigs/own.yaml', 'C:\\my\\yard.yaml', 'C:\\my\\rigs/own.yaml'],
    ['/else/own.yaml', '/my/yard.yaml', '/else/own.yaml'],
    ['own.yaml', 'dropped', 'own.yaml'],
  ])('%s of %s is asked for as %s', (sensor, file, asked) => {
    expect(sensorOfMount(mountOf(sensor), ['vlp-16', 'hdl-32e'], file)).toBe(asked);
  });

  it('says where it is mounted', () => {
    expect(mountText(mountOf('a').mount)).toBe('height 2 m');
    const turned = { positionM: [-0.5, 0.25, 1.5], yawDeg: 90, pitchDeg: -10, rollDeg: 5 };
    expect(mountText(mountOf('a', turned).mount)).toBe(
      '0.5 m behind, 0.25 m left, height 1.5 m, yaw 90°, pitch 10° up, roll 5°',
    );
    expect(mountText(mountOf('a', { positionM: [0, 0, 0] }).mount)).toBe('at the vehicle origin');
  });
});
