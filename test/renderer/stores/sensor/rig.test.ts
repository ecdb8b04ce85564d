// The sensors of the open scene: which of them is inspected, and for how long.
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { SensorMount } from '#contract/documents/scenario.ts';
import { useSceneEdit } from '#renderer/stores/scene/sceneEdit.ts';
import { useRig } from '#renderer/stores/sensor/rig.ts';
import { useSensors } from '#renderer/stores/sensor/sensors.ts';
import { WithColumns } from '../pageOf.ts';
import { openPage, type OpenPage } from '../openPage.ts';

let page: OpenPage;
/** Sensors of the scenarios, by the text of these. */
let rigs: Record<string, Partial<SensorMount>[]>;

beforeEach(() => {
  rigs = {
    a: [
      { name: 'front', sensor: 'vlp-16', rateHz: 5 },
      { name: 'rear', sensor: 'own.yaml' },
    ],
    b: [{ name: 'top', sensor: 'hdl-64e' }],
    bare: [],
  };
  page = openPage({ at: '#/scene' });
  page.answer('sensor.list', () => [{ id: 'hdl-32e' }, { id: 'vlp-16' }, { id: 'hdl-64e' }]);
  page.answer('document.read', (request) => {
    const { document, kind } = request as { document: string; kind: string };
    const file = kind === 'scenario' ? `/s/${document}` : document;
    return { file, text: document, hash: document, isSample: false };
  });
  page.answer('document.edit', (request) => {
    const { text } = request as { text: string };
    const isWrong = text === 'wrong';
    const value = { sensors: rigs[text] ?? [] };
    const problems = isWrong ? [{ path: '', code: 'custom', message: 'wrong' }] : [];
    return { text, value: isWrong ? null : value, data: value, problems };
  });
  page.answer('sensor.show', (request) => new WithColumns(request, {}));
});

async function open(scenario: string) {
  const [rig, edit, sensors] = [useRig(), useSceneEdit(), useSensors()];
  await vi.waitFor(() => expect(sensors.chosen).not.toBe(''));
  await edit.open(scenario);
  return { rig, edit, sensors };
}

const chosen = async (name: string | null, sensor: string): Promise<void> => {
  const sensors = useSensors();
  await vi.waitFor(() => expect([sensors.mountedAs, sensors.chosen]).toEqual([name, sensor]));
};

describe('the sensor of an opened scene', () => {
  it('is the first of its rig, run as it is there', async () => {
    const { rig, sensors } = await open('a');
    await chosen('front', 'vlp-16');
    expect([sensors.rateHz, rig.taken?.name, rig.mounts.length]).toEqual([5, 'front', 2]);
  });

  it('is another one in another scene', async () => {
    const { edit } = await open('a');
    await chosen('front', 'vlp-16');
    await edit.open('b');
    await chosen('top', 'hdl-64e');
  });

  it('does not take the place of one that a person chose', async () => {
    const { rig, edit, sensors } = await open('a');
    await chosen('front', 'vlp-16');
    await sensors.choose('hdl-32e');
    await edit.open('b');
    await vi.waitFor(() => expect(rig.mounts[0]?.name).toBe('top'));
    await chosen(null, 'hdl-32e');
    expect(rig.taken).toBeNull();
  });

  it('can be taken from the rig again, a file as seen from the scenario', async () => {
    const { rig, sensors } = await open('a');
    await chosen('front', 'vlp-16');
    await sensors.choose('hdl-32e');
    await rig.take(rig.mounts[1]!);
    await chosen('rear', '/s/own.yaml');
    expect([rig.taken?.name, sensors.isPicked, sensors.rateHz]).toEqual(['rear', false, null]);
  });

  it('stays while the text is wrong, and where the scene has no sensor', async () => {
    const { rig, edit } = await open('a');
    await chosen('front', 'vlp-16');
    await edit.setText('wrong');
    expect(rig.mounts).toHaveLength(2);
    await edit.setText('bare');
    await vi.waitFor(() => expect(rig.mounts).toEqual([]));
    await chosen('front', 'vlp-16');
    await edit.close();
    await vi.waitFor(() => expect(rig.mounts).toEqual([]));
  });

  it('follows a change of how it is run in the scenario', async () => {
    rigs['faster'] = [{ name: 'front', sensor: 'vlp-16', rateHz: 20 }];
    const { edit, sensors } = await open('a');
    await chosen('front', 'vlp-16');
    await edit.setText('faster');
    await vi.waitFor(() => expect(sensors.rateHz).toBe(20));
  });
});
