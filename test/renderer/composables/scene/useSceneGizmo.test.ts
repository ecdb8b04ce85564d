// Handles at a selected object: it moves at once, and its scenario is edited when they are released.
import { beforeEach, expect, it, vi } from 'vitest';
import { computed, effectScope, nextTick, ref, shallowRef, type Ref, type ShallowRef } from 'vue';
import type { DocumentEdit } from '#contract/host/documentMethods.ts';
import { useSceneGizmo } from '#renderer/composables/scene/useSceneGizmo.ts';
import type { SceneShapes } from '#renderer/composables/scene/useSceneShapes.ts';
import type { GroundShape } from '#renderer/logic/sceneEdit/groundShapes.ts';
import type { SceneObject } from '#renderer/logic/scene/sceneObjects.ts';
import { useSceneEdit } from '#renderer/stores/scene/sceneEdit.ts';
import type { GizmoMode, GizmoPose } from '#renderer/viewer/scene/gizmo.ts';
import type { SceneViewer } from '#renderer/viewer/scene/sceneViewerTypes.ts';
import { openPage, type OpenPage } from '#test/renderer/stores/openPage.ts';

interface Handles {
  pose: GizmoPose;
  onChange: (now: GizmoPose) => void;
  onEnd: (after: GizmoPose, before: GizmoPose) => void;
}

let page: OpenPage;
let handles: Handles | null;
/** Edits that were sent. */
let edits: DocumentEdit[];
let objects: ShallowRef<readonly SceneObject[]>;
let mode: Ref<GizmoMode | 'none'>;
/** Shapes of other selected parts. */
let area: ShallowRef<readonly GroundShape[]>;
const preview = vi.fn();
const moveInstance = vi.fn();
const setGizmoMode = vi.fn();
const attachGizmo = vi.fn((next: Handles | null) => void (handles = next));

const poseAt = (xM: number): GizmoPose => ({
  positionM: [xM, 0, 0],
  scale: 1,
  rotation: [0, 0, 0, 1],
});
const value = {
  scene: {
    instances: [
      {
        name: 'ash',
        model: 'tree',
        positionM: [3, 0, 0],
        onGround: false,
        scale: 1,
        rotationDeg: [0, 0, 0],
      },
      {
        name: 'oak',
        model: 'tree',
        positionM: [1, 0, 0],
        onGround: false,
        scale: 1,
        rotationDeg: [0, 0, 0],
      },
    ],
    scatters: [],
    walls: [],
  },
};

beforeEach(async () => {
  vi.clearAllMocks();
  [handles, edits] = [null, []];
  page = openPage({ at: '#/scene' });
  page.answer('document.read', () => ({ text: 'a', file: '/a', hash: 'h', isSample: false }));
  page.answer('document.edit', (request) => {
    const { text, edits: asked = [] } = request as { text: string; edits?: DocumentEdit[] };
    edits.push(...asked);
    return { text: asked.length > 0 ? `${text}+` : text, value, data: value, problems: [] };
  });
  await useSceneEdit().open('/a');
  [objects, mode, area] = [shallowRef([]), ref('move'), shallowRef([])];
  const viewer = {
    moveInstance,
    setGizmoMode,
    attachGizmo,
    onScene: () => undefined,
    poseOf: (id: number) => poseAt(id === 4 ? 1 : 3),
  } as unknown as SceneViewer;
  const shapes = {
    carried: computed(() => area.value),
    preview,
    editsOf: (_shape: unknown, change: unknown) => [
      { path: ['scene', 'scatters', 0, 'areaM'], op: 'set', value: change },
    ],
    onGround: ([x, y]: readonly [number, number]) => [x, y, 0],
  } as unknown as SceneShapes;
  page.within(() =>
    effectScope(true).run(() =>
      useSceneGizmo(shallowRef(viewer), objects, mode, ref(true), shapes),
    ),
  );
});

async function select(kind: SceneObject['kind']): Promise<void> {
  objects.value = [{ id: 4, name: 'oak', kind } as unknown as SceneObject];
  await nextTick();
}

it('move the object as they are dragged, and edit the scenario in one step', async () => {
  await select('placed');
  handles?.onChange(poseAt(2));
  expect(moveInstance.mock.calls).toEqual([[4, poseAt(2)]]);
  expect(edits).toEqual([]);
  handles?.onEnd(poseAt(3), poseAt(1));
  const edit = useSceneEdit();
  await vi.waitFor(() => expect(edit.undoLabel).toBe('Move oak'));
  expect(edits).toMatchObject([{ path: ['scene', 'instances', 1, 'positionM'] }]);
  // It stays where it is until the scene is built again.
  expect(moveInstance).toHaveBeenCalledTimes(1);
});

it('carry the shapes of other selected parts along, about the middle of all', async () => {
  area.value = [{ part: ['scene', 'scatters', 0], pointsM: [[9, 0]] } as unknown as GroundShape];
  await select('placed');
  expect(handles?.pose).toEqual(poseAt(5));
  handles?.onChange(poseAt(6));
  const change = { kind: 'move', byM: [1, 0], turnRad: 0, scale: 1, aboutM: [5, 0] };
  expect(preview).toHaveBeenLastCalledWith(change);
  expect(moveInstance.mock.calls).toEqual([[4, poseAt(2)]]);
  handles?.onEnd(poseAt(6), poseAt(5));
  const edit = useSceneEdit();
  await vi.waitFor(() => expect(edit.undoLabel).toBe('Move 2 parts'));
  expect(edits).toMatchObject([
    { path: ['scene', 'instances', 1, 'positionM'] },
    { path: ['scene', 'scatters', 0, 'areaM'], value: change },
  ]);
});

it('put the object back where the host refuses the edit', async () => {
  await select('placed');
  page.answer('document.edit', () => {
    throw new Error('refused');
  });
  handles?.onEnd(poseAt(3), poseAt(1));
  await vi.waitFor(() => expect(moveInstance).toHaveBeenLastCalledWith(4, poseAt(1)));
});

it('are only at what has a place of its own, and walls are not scaled', async () => {
  await select('ground');
  await select('copy');
  expect(attachGizmo).not.toHaveBeenCalled();
  await select('wall');
  expect(handles).not.toBeNull();
  expect(setGizmoMode).toHaveBeenLastCalledWith('move', false);
  mode.value = 'scale';
  await nextTick();
  expect(handles).toBeNull();
});

it('follow the selection, and leave the handles of a sensor attached', async () => {
  mode.value = 'none';
  await select('placed');
  expect(attachGizmo).not.toHaveBeenCalled();
  mode.value = 'turn';
  await nextTick();
  expect(handles).not.toBeNull();
  objects.value = [];
  await nextTick();
  expect(handles).toBeNull();
  expect(attachGizmo).toHaveBeenCalledTimes(2);
});

it('turn several about their middle, in one step', async () => {
  const named = (id: number, name: string) =>
    ({ id, name, kind: 'placed' }) as unknown as SceneObject;
  objects.value = [named(4, 'oak'), named(5, 'ash')];
  mode.value = 'turn';
  await nextTick();
  expect(handles?.pose.positionM).toEqual([2, 0, 0]);
  const half = Math.SQRT1_2;
  handles?.onEnd({ ...poseAt(2), rotation: [0, 0, half, half] }, poseAt(2));
  const edit = useSceneEdit();
  await vi.waitFor(() => expect(edit.undoLabel).toBe('Turn 2 objects'));
  expect(edits).toEqual([
    { path: ['scene', 'instances', 1, 'positionM'], op: 'set', value: [2, -1, 0] },
    { path: ['scene', 'instances', 1, 'yawDeg'], op: 'set', value: 90 },
    { path: ['scene', 'instances', 0, 'positionM'], op: 'set', value: [2, 1, 0] },
    { path: ['scene', 'instances', 0, 'yawDeg'], op: 'set', value: 90 },
  ]);
});
