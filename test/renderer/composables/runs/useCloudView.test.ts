// A run in its viewer: what comes in is drawn, and the ranges of the colours hold it.
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { effectScope, nextTick, reactive, shallowRef, type ShallowRef } from 'vue';
import type { Columns } from '#contract/columns.ts';
import type { MovingObject, ObjectState } from '#contract/host/movingObjects.ts';
import type { RunDetails } from '#contract/host/runMethods.ts';
import { useCloudView } from '#renderer/composables/runs/useCloudView.ts';
import type { ShownInstant } from '#renderer/logic/cloud/runDisplay.ts';
import { createRunLook } from '#renderer/logic/viewer/viewSettings.ts';
import type { RunViewer } from '#renderer/viewer/run/runViewer.ts';
import { fakePage, type FakePage } from '#test/renderer/stores/pageOf.ts';

/** State of the viewer. */
let drawn: {
  framed: number;
  clouds: number;
  moves: number;
  paths: number;
  fixes: unknown[];
  colouring: unknown[];
};
let viewer: ShallowRef<RunViewer | null>;
let page: FakePage;
let details: ShallowRef<RunDetails | null>;

beforeEach(() => {
  page = fakePage();
  drawn = { framed: 0, clouds: 0, moves: 0, paths: 0, fixes: [], colouring: [] };
  const ignored = [
    'setLayer',
    'setOpacity',
    'setTime',
    'setCameraMode',
    'showMission',
    'setVehicleSize',
    'addHistory',
  ];
  const clearPoints = (): void => void (drawn.clouds = 0);
  viewer = shallowRef({
    ...Object.fromEntries(
      [...ignored, 'showMap', 'showPlannedPath'].map((name) => [name, () => {}]),
    ),
    clear: clearPoints,
    clearPoints,
    frame: () => void (drawn.framed += 1),
    addPoints: () => void (drawn.clouds += 1),
    moveVehicle: () => void (drawn.moves += 1),
    setPath: () => void (drawn.paths += 1),
    addFix: (placeM: unknown) => void drawn.fixes.push(placeM),
    setColouring: (...colouring: unknown[]) => void (drawn.colouring = colouring),
  } as unknown as RunViewer);
  details = shallowRef<RunDetails | null>(null);
});

const open = (look = reactive(createRunLook())) =>
  page.within(() => effectScope(true).run(() => useCloudView(viewer, () => details.value, look)))!;
const instant = (more: object = {}): ShownInstant =>
  ({ tick: { truth: {}, gpsM: null, ...more }, map: null }) as unknown as ShownInstant;
function pointsAt(...zM: number[]): Columns {
  const reals = () => new Float32Array(zM.length);
  return {
    x_m: reals(),
    y_m: reals(),
    z_m: Float32Array.from(zM),
    intensity: reals(),
    range_m: reals(),
    range_error_m: reals(),
    ring: new Uint16Array(zM.length),
    return_no: new Uint8Array(zM.length),
    sensor: new Uint8Array(zM.length),
    class_id: new Uint16Array(zM.length),
  };
}
const heights = ({ look: { colouring } }: ReturnType<typeof open>): [number, number] =>
  [...(colouring.ranges.height ?? [NaN, NaN])] as [number, number];

describe('moving objects', () => {
  it('are read once for a run, at its first instant, and shown at the time of each', async () => {
    const shown: unknown[] = [];
    Object.assign(viewer.value ?? {}, { showObjects: (of: ObjectState[]) => shown.push(of) });
    page.answer('runs.objects', () => ({
      objects: [
        {
          name: 'car-a',
          class: 'car',
          law: {
            kind: 'path',
            pointsM: [
              [0, 0, 0],
              [10, 0, 0],
            ],
            speedMPerS: 2,
            startS: 0,
            isClosed: false,
            turnM: 0.5,
          },
          centreM: [0, 0, 1],
          sizeM: [4, 2, 2],
        } satisfies MovingObject,
      ],
    }));
    const view = open();
    view.display.show(instant({ timeNs: 1e9 }), {});
    expect(page.calls).toEqual([]);
    details.value = { id: 'run' } as unknown as RunDetails;
    view.display.show(instant({ timeNs: 1e9 }), {});
    await vi.waitFor(() => expect(shown).toHaveLength(1));
    view.display.show(instant({ timeNs: 2e9 }), {});
    expect(shown).toMatchObject([
      [{ name: 'car-a', class: 'car', pose: { positionM: [2, 0, 1] }, sizeM: [4, 2, 2] }],
      [{ pose: { positionM: [4, 0, 1] } }],
    ]);
    expect(page.calls).toEqual(['runs.objects']);
  });
});

describe('instants', () => {
  it('frames the view once, when the first points arrive', () => {
    const view = open();
    view.display.show(instant(), pointsAt(1));
    view.display.show(instant(), pointsAt(2));
    expect(drawn).toMatchObject({ framed: 1, clouds: 2 });
    view.display.reset();
    expect([drawn.clouds, view.hasPoints.value]).toEqual([0, false]);
    view.display.show(instant(), pointsAt(3));
    expect(drawn.framed).toBe(2);
  });

  it('moves the vehicle without points, and shows a fix only if the instant has one', () => {
    const view = open();
    view.display.show(instant(), {});
    view.display.show(instant({ gpsM: [1, 2, 3] }), {});
    expect(drawn).toMatchObject({ moves: 2, fixes: [[1, 2, 3]], clouds: 0 });
  });

  it('replaces the points when playback jumps, and keeps the ranges', () => {
    const view = open();
    view.display.show(instant(), pointsAt(1, 9));
    const before = heights(view);
    view.display.jump({ xyzM: new Float32Array(3) } as never);
    expect(drawn).toMatchObject({ clouds: 0, paths: 1 });
    expect(heights(view)).toEqual(before);
  });
});

describe('the ranges of the colours', () => {
  it('widens the ranges for new points, and never narrows them', () => {
    const view = open();
    view.display.show(instant(), pointsAt(0, 4));
    const [, before] = heights(view);
    view.display.show(instant(), pointsAt(1, 2));
    expect(heights(view)[1]).toBe(before);
    view.display.show(instant(), pointsAt(...Array.from({ length: 50 }, () => 20)));
    expect(heights(view)[1]).toBeGreaterThanOrEqual(20);
  });

  it('has ranges of every colour from the first points, and widens each of them', () => {
    const view = open();
    view.display.show(instant(), pointsAt(1));
    const { distance, ...ofPoints } = view.look.colouring.ranges;
    expect(Object.values(ofPoints)).not.toContain(null);
    expect(distance).toBeNull();
    const far = { ...pointsAt(1), range_m: Float32Array.of(80) };
    for (let turn = 0; turn < 6; turn += 1) view.display.show(instant(), far);
    expect(view.look.colouring.ranges.range?.[1]).toBeGreaterThanOrEqual(80);
  });

  it('keeps fixed ranges for all points', () => {
    const look = reactive(createRunLook());
    look.hasFixedRanges = true;
    look.colouring.ranges.height = [1, 2];
    const view = open(look);
    view.display.reset();
    view.display.show(instant(), pointsAt(50));
    view.display.addHistory({ ...pointsAt(60), zM: Float32Array.of(60) } as never, true);
    expect(heights(view)).toEqual([1, 2]);
  });

  it('passes the ranges to the viewer, and a fixed one for classes', async () => {
    const view = open();
    view.look.colouring.ranges = { ...view.look.colouring.ranges, height: [1, 2] };
    await nextTick();
    expect(drawn.colouring).toEqual(['height', 'viridis', [1, 2]]);
    view.look.colouring.by = 'class';
    await nextTick();
    expect(drawn.colouring).toEqual(['class', 'viridis', [0, 1]]);
  });
});

it('frames the view for another run, not for another tag of the same run', async () => {
  open();
  const run = (id: string, tags: string[] = []) =>
    ({ id, tags, mission: null, vehicleSizeM: [1, 1, 1] }) as unknown as RunDetails;
  details.value = run('a');
  await nextTick();
  details.value = run('a', ['wet']);
  await nextTick();
  expect(drawn.framed).toBe(1);
  details.value = run('b');
  await nextTick();
  expect(drawn.framed).toBe(2);
});
