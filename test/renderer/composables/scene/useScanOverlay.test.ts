// Sensors in the view of a scene: scans are drawn, their points clicked, and the sensor is placed.
import { Group, Points } from 'three';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { nextTick, ref, shallowReactive, shallowRef, type ShallowRef } from 'vue';
import { useScanOverlay } from '#renderer/composables/scene/useScanOverlay.ts';
import { useDocks } from '#renderer/stores/frame/docks.ts';
import { panelListKey } from '#renderer/stores/frame/panelList.ts';
import { useScene } from '#renderer/stores/scene/scene.ts';
import { usePulse } from '#renderer/stores/sensor/pulse.ts';
import type { SavedScan } from '#renderer/stores/sensor/savedScans.ts';
import { useScans } from '#renderer/stores/sensor/scans.ts';
import { createViewClip, type ViewClip } from '#renderer/viewer/engine/clip/clipUniforms.ts';
import type { Picker } from '#renderer/viewer/engine/viewport.ts';
import type { GizmoPose } from '#renderer/viewer/scene/gizmo.ts';
import type { SceneViewer } from '#renderer/viewer/scene/sceneViewerTypes.ts';
import { answerScenario, sceneContents } from '#test/renderer/stores/hostAnswers.ts';
import { openPage } from '#test/renderer/stores/openPage.ts';
import { mounted } from '../mounted.ts';

let group: Group;
let pickers: Picker[];
let gizmo: { pose: GizmoPose; onChange: (next: GizmoPose) => void } | null;
let viewer: ShallowRef<SceneViewer | null>;
let unmount: () => void;
let viewClip: ViewClip;
/** Places that were brought into sight. */
let seenM: unknown[];

const contents = (sceneHash: string) => sceneContents([2, 2, 2], { sceneHash });

beforeEach(async () => {
  vi.stubGlobal('devicePixelRatio', 1);
  vi.stubGlobal('getComputedStyle', () => ({ getPropertyValue: () => '#123456' }));
  vi.clearAllMocks();
  [group, pickers, gizmo, seenM] = [new Group(), [], null, []];
  viewClip = createViewClip();
  const page = openPage({ at: '#/scene', provided: [[panelListKey, []]] });
  answerScenario(page);
  Object.assign(useScene(), { scenario: '/s.yaml', contents: contents('a') });
  const scans = useScans();
  // Placed at its start.
  await vi.waitFor(() => expect(scans.pose.xM).toBe(1));
  viewer = shallowRef<SceneViewer | null>(null);
  ({ unmount } = mounted(page, () => useScanOverlay(viewer, ref('dark'))));
  viewer.value = {
    overlay: () => group,
    points: group,
    viewClip,
    addPicker: (picker: Picker) => {
      pickers.push(picker);
      return () => void pickers.splice(pickers.indexOf(picker), 1);
    },
    bringIntoSight: (placeM: unknown) => void seenM.push(placeM),
    attachGizmo: (next: typeof gizmo) => void (gizmo = next),
    invalidate: vi.fn(),
    setGizmoMode: vi.fn(),
  } as unknown as SceneViewer;
  await nextTick();
});

/** A scan with points on the x axis; without noise they are 1 m farther away. */
function scanAt(id: number, ...xM: number[]): SavedScan {
  const rows = xM.length;
  const placesM = (addM: number) => Float32Array.from(xM.flatMap((x) => [x + addM, 0, 0]));
  return {
    id,
    name: `${id}`,
    colour: [1, 2, 3],
    isVisible: true,
    settings: { sensor: 'vlp-16', pose: { positionM: [id, 0, 2], yawDeg: 0 } },
    scene: { scenario: '/s.yaml', contents: contents('a'), edits: 0 },
    returns: rows,
    saved: null,
    table: {
      rows,
      noisyM: placesM(0),
      cleanM: placesM(1),
      rangeM: new Float32Array(rows),
      pulse: new BigUint64Array(rows),
      timeNs: new BigInt64Array(rows),
      classId: new Uint16Array(rows),
      intensity: new Float32Array(rows),
    },
  } as unknown as SavedScan;
}

async function save(scan: SavedScan): Promise<void> {
  useScans().saved.push(shallowReactive(scan));
  await nextTick();
}

const drawn = (): number =>
  group.children.filter((one) => one instanceof Points && one.visible).length;
const ahead = { originM: [0, 0, 0], direction: [1, 0, 0] } as const;

describe('scans', () => {
  it('draws each scan and brings it into view once', async () => {
    await save(scanAt(1, 5));
    expect(drawn()).toBe(1);
    expect(seenM).toEqual([[1, 0, 2]]);
    await save(scanAt(2, 6));
    useScans().isClean = true;
    await nextTick();
    expect([drawn(), seenM.length]).toEqual([2, 2]);
  });

  it('hides scans of an earlier state of the scene', async () => {
    await save(scanAt(1, 5));
    useScene().contents = contents('b');
    await nextTick();
    expect(drawn()).toBe(0);
  });

  it('removes scans and their pickers when the panel closes', async () => {
    await save(scanAt(1, 5));
    unmount();
    expect([group.children.length, pickers.length]).toEqual([0, 0]);
  });
});

describe('a click on a point', () => {
  it('shows the pulse of the nearest visible scan', async () => {
    const [pulse, docks] = [usePulse(), useDocks()];
    const show = vi.spyOn(pulse, 'show').mockResolvedValue();
    const panel = vi.spyOn(docks, 'show').mockReturnValue();
    await save(scanAt(1, 9, 7));
    await save(scanAt(2, 5));
    expect(pickers[0]?.meet(ahead, 0.001)).toBeCloseTo(5, 6);
    useScans().setVisible(2, false);
    expect(pickers[0]?.meet(ahead, 0.001)).toBeCloseTo(7, 6);
    pickers[0]?.click();
    expect(show.mock.calls.map(([{ id }, row]) => [id, row])).toEqual([[1, 1]]);
    expect(panel).toHaveBeenCalledWith('pulse');
  });

  it('picks the point where it is drawn, with noise or without', async () => {
    await save(scanAt(1, 5));
    useScans().isClean = true;
    await nextTick();
    expect(pickers[0]?.meet(ahead, 0.001)).toBeCloseTo(6, 6);
  });

  it('meets only what the clip box of the view shows', async () => {
    await save(scanAt(1, 5, 9));
    viewClip.set({ centreM: [9, 0, 0], yawRad: 0, sizeM: [2, 1, 1] });
    expect(pickers[0]?.meet(ahead, 0.001)).toBeCloseTo(9, 6);
    expect(pickers[0]?.placeM?.()).toEqual([9, 0, 0]);
    viewClip.set({ centreM: [7, 0, 0], yawRad: 0, sizeM: [2, 1, 1] });
    expect([pickers[0]?.meet(ahead, 0.001), pickers[0]?.placeM?.()]).toEqual([null, null]);
  });

  it('shows nothing if it meets no point', async () => {
    const show = vi.spyOn(usePulse(), 'show').mockResolvedValue();
    await save(scanAt(1, 5));
    expect(pickers[0]?.meet(ahead, 0.001)).not.toBeNull();
    const behind = { originM: [0, 0, 0], direction: [-1, 0, 0] } as const;
    expect(pickers[0]?.meet(behind, 0.001)).toBeNull();
    pickers[0]?.click();
    expect(show).not.toHaveBeenCalled();
  });
});

describe('the sensor', () => {
  it('is placed by one click, at its height above the ground', async () => {
    const [scans, scene] = [useScans(), useScene()];
    scans.mountM = 1.5;
    scans.isPlacing = true;
    await nextTick();
    scene.clickHandler?.([3.00049, 4, 0.25]);
    await nextTick();
    expect(scans.pose).toMatchObject({ xM: 3, yM: 4, zM: 1.75 });
    expect([scans.isPlacing, scene.clickHandler]).toEqual([false, null]);
  });

  it('moves and turns with its handles, which stay attached during a drag', async () => {
    const scans = useScans();
    scans.handles = 'move';
    await nextTick();
    const attached = gizmo;
    expect(attached?.pose.positionM).toEqual([scans.pose.xM, scans.pose.yM, scans.pose.zM]);
    const half = Math.PI / 4;
    gizmo?.onChange({
      positionM: [2.0004, 3, 1],
      scale: 1,
      rotation: [0, 0, Math.sin(half), Math.cos(half)],
    });
    expect(scans.pose).toMatchObject({ xM: 2, yM: 3, zM: 1, yawDeg: 90, pitchDeg: 0 });
    await nextTick();
    expect(gizmo).toBe(attached);
    await nextTick();
    // Typed: the handles follow.
    scans.standAt({ xM: 8 });
    await nextTick();
    expect(gizmo?.pose.positionM[0]).toBe(8);
    scans.handles = 'none';
    await nextTick();
    expect(gizmo).toBeNull();
  });

  it('does not detach the handles of an object', async () => {
    const scans = useScans();
    scans.standAt({ xM: 8 });
    await nextTick();
    expect(gizmo).toBeNull();
  });
});
