// Scans of the open scene: what the host is asked for, and which scans are saved.
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { useJobs } from '#renderer/stores/host/jobs.ts';
import { useScene } from '#renderer/stores/scene/scene.ts';
import { useSceneEdit } from '#renderer/stores/scene/sceneEdit.ts';
import { useScans } from '#renderer/stores/sensor/scans.ts';
import { useSensors } from '#renderer/stores/sensor/sensors.ts';
import { answerScenario, sceneContents } from '../hostAnswers.ts';
import { untilCancelled } from '../pageOf.ts';
import { openPage, type OpenPage } from '../openPage.ts';

let page: OpenPage;
/** Requests for a scan. */
let asked: { scene: string; seconds: number; seed?: number; sensor: string; pose: unknown }[];

const contents = (scene: string) =>
  sceneContents([20, 10, 5], {
    scene,
    seed: 7,
    originM: [1000, 0, 0],
    sceneHash: `hash ${scene}`,
  });
const shown = {
  sensor: { id: 'vlp-16', name: 'VLP-16' },
  recipe: { scan: { rateHz: 20 }, returns: { mode: 'strongest' }, maxRangeM: 100 },
};

beforeEach(() => {
  asked = [];
  page = openPage({ at: '#/scene' });
  answerScenario(page, { text: 'a', heightM: 1 });
  page.answer('scene.scan', (request) => {
    asked.push(request as (typeof asked)[number]);
    return { classes: ['leaf'], pulses: 3, rays: 9, hash: 'scan' };
  });
});

/** The scans of an open scene whose sensor has its place. */
async function open() {
  const [scene, sensors] = [useScene(), useSensors()];
  Object.assign(sensors, { chosen: 'vlp-16', shown: { shown } });
  Object.assign(scene, { scenario: '/s.yaml', contents: contents('1') });
  const scans = useScans();
  await vi.waitFor(() => expect(scans.pose.zM).not.toBe(2));
  return { scene, scans };
}

describe('a scan', () => {
  it('is of one turn of the chosen sensor where it is placed, and is saved with the seed', async () => {
    const { scans } = await open();
    scans.standAt({ xM: 3, yM: 4, zM: 5, yawDeg: 90 });
    await scans.scan();
    expect(asked).toMatchObject([
      {
        scene: '1',
        sensor: 'vlp-16',
        seconds: 0.05,
        pose: { positionM: [3, 4, 5], yawDeg: 90, pitchDeg: 0 },
      },
    ]);
    expect(scans.saved).toMatchObject([
      { name: '1 · vlp-16, strongest', settings: { seed: 7 }, rays: 9, classes: ['leaf'] },
    ]);
    // The command reads the scenario, whose places are in the world.
    expect(scans.command).toMatch(/1003/);
  });

  it('lasts as long as is set, with the seed that is set', async () => {
    const { scans } = await open();
    Object.assign(scans, { seconds: 2, seed: 11 });
    await scans.scan();
    expect(asked).toMatchObject([{ seconds: 2, seed: 11 }]);
    expect(scans.saved[0]?.settings.seed).toBe(11);
  });

  it('of a scene that is being built is made in the new one', async () => {
    const { scene, scans } = await open();
    scene.isBuilding = true;
    const scanned = scans.scan();
    await Promise.resolve();
    expect(asked).toEqual([]);
    Object.assign(scene, { contents: contents('2'), isBuilding: false });
    await scanned;
    expect(asked).toMatchObject([{ scene: '2' }]);
  });

  it('is not made where another scenario is opened before its scene is built', async () => {
    const { scene, scans } = await open();
    scene.isBuilding = true;
    const scanned = scans.scan();
    Object.assign(scene, { scenario: '/other.yaml', contents: contents('2'), isBuilding: false });
    await scanned;
    expect([asked, scans.isScanning]).toEqual([[], false]);
  });

  it('is one at a time, and a cancelled one saves nothing and is no error', async () => {
    const { scans } = await open();
    page.answer('scene.scan', untilCancelled().how);
    const scanned = scans.scan();
    await vi.waitFor(() => expect(scans.isScanning).toBe(true));
    await scans.scan();
    expect(page.calls.filter((method) => method === 'scene.scan')).toHaveLength(1);
    scans.cancel();
    await scanned;
    expect([scans.saved.length, scans.error, scans.isScanning]).toEqual([0, null, false]);
  });

  it('that fails reports why until the next one', async () => {
    const { scans } = await open();
    const answer = { classes: [], pulses: 0, rays: 0, hash: '' };
    let isRefused = true;
    page.answer('scene.scan', () => {
      if (isRefused) throw new Error('the worker has ended');
      return answer;
    });
    await scans.scan();
    expect([scans.error, scans.saved.length]).toEqual(['the worker has ended', 0]);
    isRefused = false;
    await scans.scan();
    expect([scans.error, scans.saved.length]).toEqual([null, 1]);
  });

  it('has a command only where the file says what is scanned', async () => {
    const { scans } = await open();
    const edit = useSceneEdit();
    await edit.open('/s.yaml');
    await scans.scan();
    await edit.setText('changed');
    await scans.scan();
    const commands = useJobs().list.map(({ command }) => command !== null);
    expect(commands).toEqual([false, true]);
    expect(scans.saved.map(({ scene }) => scene.edits)).toEqual([0, 1]);
  });

  it('of a scene as it was before an edit is not drawn', async () => {
    const { scene, scans } = await open();
    await scans.scan();
    expect(scans.drawn).toHaveLength(1);
    scene.contents = contents('2');
    expect(scans.relationOf(scans.saved[0]!)).toBe('edited');
    expect(scans.drawn).toEqual([]);
  });
});
