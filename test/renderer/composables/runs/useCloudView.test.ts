// A run in its viewer: what comes in is drawn, and the ranges of the colours hold it.
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { effectScope, nextTick, shallowRef, type ShallowRef } from 'vue';
import type { Columns } from '#contract/columns.ts';
import type { RunDetails } from '#contract/host/runMethods.ts';
import { createCloudLook, useCloudView } from '#renderer/composables/runs/useCloudView.ts';
import type { ShownInstant } from '#renderer/logic/cloud/runDisplay.ts';
import type { RunViewer } from '#renderer/viewer/run/runViewer.ts';

const methods = [
  ...(['setColouring', 'setLayer', 'setCameraMode', 'showMission', 'setVehicleSize'] as const),
  ...(['frame', 'clear', 'clearPoints', 'setPath', 'addHistory', 'moveVehicle', 'addFix'] as const),
  ...(['addPoints', 'showMap', 'showPlannedPath'] as const),
];
type Spies = Record<(typeof methods)[number], ReturnType<typeof vi.fn>>;
let spies: Spies;
let viewer: ShallowRef<RunViewer | null>;
let details: ShallowRef<RunDetails | null>;

beforeEach(() => {
  spies = Object.fromEntries(methods.map((name) => [name, vi.fn()])) as Spies;
  viewer = shallowRef(spies as unknown as RunViewer);
  details = shallowRef<RunDetails | null>(null);
});

const open = (look = createCloudLook()) =>
  effectScope(true).run(() => useCloudView(viewer, () => details.value, look))!;
const instant = (more: object = {}): ShownInstant =>
  ({ tick: { truth: {}, gpsM: null, ...more }, map: null }) as unknown as ShownInstant;
function pointsAt(...zM: number[]): Columns {
  const reals = () => new Float32Array(zM.length);
  return {
    ...{ x_m: reals(), y_m: reals(), z_m: Float32Array.from(zM), intensity: reals() },
    ...{ range_m: reals(), range_error_m: reals(), ring: new Uint16Array(zM.length) },
    ...{ return_no: new Uint8Array(zM.length), class_id: new Uint16Array(zM.length) },
  };
}
const heights = ({ colouring }: ReturnType<typeof open>): [number, number] =>
  [...(colouring.ranges.height ?? [NaN, NaN])] as [number, number];

describe('instants', () => {
  it('are framed once, as the first points come', () => {
    const view = open();
    view.display.show(instant(), pointsAt(1));
    view.display.show(instant(), pointsAt(2));
    expect([spies.frame.mock.calls.length, spies.addPoints.mock.calls.length]).toEqual([1, 2]);
    view.display.reset();
    expect([spies.clear.mock.calls.length, view.hasPoints.value]).toEqual([1, false]);
    view.display.show(instant(), pointsAt(3));
    expect(spies.frame).toHaveBeenCalledTimes(2);
  });

  it('without points move the vehicle, and have a fix only where there was one', () => {
    const view = open();
    view.display.show(instant(), {});
    view.display.show(instant({ gpsM: [1, 2, 3] }), {});
    expect(spies.moveVehicle).toHaveBeenCalledTimes(2);
    expect(spies.addFix.mock.calls).toEqual([[[1, 2, 3]]]);
    expect(spies.addPoints).not.toHaveBeenCalled();
  });

  it('replace points where playback jumps, not the ranges', () => {
    const view = open();
    view.display.show(instant(), pointsAt(1, 9));
    const before = heights(view);
    view.display.jump({ xyzM: new Float32Array(3) } as never);
    expect([spies.clearPoints.mock.calls.length, spies.setPath.mock.calls.length]).toEqual([1, 1]);
    expect(heights(view)).toEqual(before);
  });
});

describe('the ranges of the colours', () => {
  it('widen for what comes, and do not narrow', () => {
    const view = open();
    view.display.show(instant(), pointsAt(0, 4));
    const [, before] = heights(view);
    view.display.show(instant(), pointsAt(1, 2));
    expect(heights(view)[1]).toBe(before);
    view.display.show(instant(), pointsAt(...Array.from({ length: 50 }, () => 20)));
    expect(heights(view)[1]).toBeGreaterThanOrEqual(20);
  });

  it('of every colour are known from the first points on, and each widens in its turn', () => {
    const view = open();
    view.display.show(instant(), pointsAt(1));
    expect(Object.values(view.colouring.ranges)).not.toContain(null);
    const far = { ...pointsAt(1), range_m: Float32Array.of(80) };
    for (let turn = 0; turn < 6; turn += 1) view.display.show(instant(), far);
    expect(view.colouring.ranges.range?.[1]).toBeGreaterThanOrEqual(80);
  });

  it('that are fixed stay, whatever comes', () => {
    const look = createCloudLook();
    look.hasFixedRanges.value = true;
    look.colouring.ranges.height = [1, 2];
    const view = open(look);
    view.display.reset();
    view.display.show(instant(), pointsAt(50));
    view.display.addHistory({ ...pointsAt(60), zM: Float32Array.of(60) } as never, true);
    expect(heights(view)).toEqual([1, 2]);
  });

  it('are those that the view gets, and none for classes', async () => {
    const view = open();
    view.colouring.ranges = { ...view.colouring.ranges, height: [1, 2] };
    await nextTick();
    expect(spies.setColouring).toHaveBeenLastCalledWith('height', 'viridis', [1, 2]);
    view.colouring.by = 'class';
    await nextTick();
    expect(spies.setColouring).toHaveBeenLastCalledWith('class', 'viridis', [0, 1]);
  });
});

it('frames another run, not another tag of the same', async () => {
  open();
  const run = (id: string, tags: string[] = []) =>
    ({ id, tags, mission: null, vehicleSizeM: [1, 1, 1] }) as unknown as RunDetails;
  details.value = run('a');
  await nextTick();
  details.value = run('a', ['wet']);
  await nextTick();
  expect(spies.frame).toHaveBeenCalledTimes(1);
  details.value = run('b');
  await nextTick();
  expect(spies.frame).toHaveBeenCalledTimes(2);
});
