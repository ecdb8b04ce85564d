// The pulse behind a point of a scan: asked for in the scene that was scanned, the newest one alone.
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { useScene } from '#renderer/stores/scene/scene.ts';
import { usePulse } from '#renderer/stores/sensor/pulse.ts';
import type { SavedScan } from '#renderer/stores/sensor/savedScans.ts';
import { useScans } from '#renderer/stores/sensor/scans.ts';
import { held } from '../browserStubs.ts';
import { answerScenario, sceneContents } from '../hostAnswers.ts';
import { WithColumns } from '../pageOf.ts';
import { openPage, type OpenPage } from '../openPage.ts';

let page: OpenPage;
/** Requests for a pulse, and how to answer them. */
let asked: { request: unknown; answer: ReturnType<typeof held<unknown>> }[];

const contents = (sceneHash: string) => sceneContents([2, 2, 2], { scene: '5', sceneHash });
/** Two returns of pulse 4, one each of 6 and 9. */
const scan = {
  id: 1,
  settings: { sensor: 'vlp-16', seed: 3 },
  scene: { scenario: '/s.yaml', contents: contents('a') },
  table: {
    pulse: BigUint64Array.of(4n, 4n, 6n, 9n),
    timeNs: BigInt64Array.of(40n, 40n, 60n, 90n),
  },
} as unknown as SavedScan;
const reply = { waveform: null, seenHits: 0, lostHits: 0 };
const withRay = new WithColumns(
  { ...reply, waveform: { firstRangeM: 2, binM: 0.1 } },
  { ray: Uint16Array.of(8), hit_no: Uint16Array.of(0), waveform: Float32Array.of(1, 2) },
);

beforeEach(() => {
  asked = [];
  page = openPage({ at: '#/scene' });
  answerScenario(page);
  page.answer('scene.pulse', (request) => {
    const answer = held<unknown>();
    asked.push({ request, answer });
    return answer.promise;
  });
});

function open() {
  Object.assign(useScene(), { scenario: '/s.yaml', contents: contents('a') });
  return usePulse();
}

async function answered(index: number, how: unknown = reply): Promise<void> {
  await vi.waitFor(() => expect(asked.length).toBeGreaterThan(index));
  asked[index]?.answer.resolve(how);
}

describe('the pulse of a return', () => {
  it('is asked for with the settings of its scan, and shown', async () => {
    const pulse = open();
    const showing = pulse.show(scan, 2);
    await answered(0, withRay);
    expect(pulse.isAsking).toBe(true);
    await showing;
    expect(asked[0]?.request).toEqual({
      scene: '5',
      sensor: 'vlp-16',
      seed: 3,
      pulse: 6,
      timeNs: 60,
    });
    expect([pulse.shown?.pulse, pulse.shown?.rays[0]?.ray, pulse.isAsking]).toEqual([6n, 8, false]);
    expect(pulse.shown?.waveform).toMatchObject({ firstRangeM: 2, bins: Float32Array.of(1, 2) });
  });

  it('is not asked for in a scene that has changed since', async () => {
    const pulse = open();
    useScene().contents = contents('b');
    await pulse.show(scan, 0);
    expect(asked).toEqual([]);
    expect(pulse.error).toContain('Scan again');
  });

  it('of two in a row is that of the second, whichever is answered first', async () => {
    const pulse = open();
    const first = pulse.show(scan, 0);
    const second = pulse.show(scan, 3);
    await answered(1);
    await second;
    await answered(0);
    await first;
    expect([pulse.shown?.pulse, pulse.error]).toEqual([9n, null]);
  });

  it('is awaited while the second request lasts, though the first has failed', async () => {
    const pulse = open();
    const first = pulse.show(scan, 0);
    const second = pulse.show(scan, 3);
    await vi.waitFor(() => expect(asked).toHaveLength(2));
    asked[0]?.answer.reject(new Error('closed'));
    await first;
    expect([pulse.isAsking, pulse.error]).toEqual([true, null]);
    asked[1]?.answer.reject(new Error('no such pulse'));
    await second;
    expect([pulse.isAsking, pulse.error, pulse.shown]).toEqual([false, 'no such pulse', null]);
  });

  it('is followed by the next pulse, not by another return of the same', async () => {
    const pulse = open();
    page.answer('scene.pulse', () => reply);
    await pulse.show(scan, 0);
    const seen: unknown[] = [];
    for (const direction of [1, 1, 1, -1, -1, -1] as const) {
      await pulse.step(direction);
      seen.push(pulse.shown?.pulse);
    }
    // At either end it stays.
    expect(seen).toEqual([6n, 9n, 9n, 6n, 4n, 4n]);
  });

  it('goes with its scan, also where it has not come yet', async () => {
    const pulse = open();
    const scans = useScans();
    scans.saved.push(scan);
    const showing = pulse.show(scan, 0);
    await vi.waitFor(() => expect(asked).toHaveLength(1));
    scans.remove(1);
    await vi.waitFor(() => expect(pulse.chosen).toBeNull());
    await answered(0);
    await showing;
    expect([pulse.shown, pulse.isAsking, pulse.canStep]).toEqual([null, false, false]);
  });
});
