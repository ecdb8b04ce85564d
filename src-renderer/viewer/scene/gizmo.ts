// The handles by which something is moved, turned or scaled: three's TransformControls on a stand-in, which
// passes poses on. Turning is about the vertical unless all axes are asked for; scaling keeps proportions.
import { Group, Object3D, type PerspectiveCamera } from 'three';
import { TransformControls } from 'three/addons/controls/TransformControls.js';
import type { RowPose } from '#renderer/logic/scene/instanceTable.ts';

export type GizmoMode = 'move' | 'turn' | 'scale';

export type GizmoPose = RowPose;

export interface GizmoTarget {
  pose: GizmoPose;
  /** While it is dragged. */
  onChange: (pose: GizmoPose) => void;
  /** When it is released, and only if it was changed. */
  onEnd: (pose: GizmoPose, before: GizmoPose) => void;
}

export interface Gizmo {
  readonly object: Object3D;
  /** Null takes the handles away. */
  attach: (target: GizmoTarget | null) => void;
  setMode: (mode: GizmoMode, hasAllAxes: boolean) => void;
  /** The pointer is on a handle. */
  isOver: () => boolean;
  dispose: () => void;
}

const modes = { move: 'translate', turn: 'rotate', scale: 'scale' } as const;

/** Handles that move, turn or scale an object in the view. dispose() frees them. */
export function createGizmo(
  camera: PerspectiveCamera,
  canvas: HTMLCanvasElement,
  on: { change: () => void; dragging: (isDragging: boolean) => void },
): Gizmo {
  const standIn = new Object3D();
  const object = new Group();
  object.add(standIn);
  let controls: TransformControls | null = null;
  let target: GizmoTarget | null = null;
  let mode: GizmoMode = 'move';
  let hasAllAxes = false;
  let before: GizmoPose | null = null;

  return {
    object,
    attach(next) {
      target = next;
      if (next === null) {
        controls?.detach();
        on.change();
        return;
      }
      standIn.position.set(...next.pose.positionM);
      standIn.quaternion.set(...next.pose.rotation);
      standIn.scale.setScalar(next.pose.scale);
      standIn.updateMatrixWorld();
      controls ??= createControls();
      controls.attach(standIn);
      apply();
    },
    setMode(next, hasAll) {
      [mode, hasAllAxes] = [next, hasAll];
      apply();
    },
    isOver: () => target !== null && controls !== null && controls.axis !== null,
    dispose() {
      controls?.detach();
      controls?.dispose();
    },
  };

  /** Why not before it is needed: its hundred small meshes take longer than the rest of the view. */
  function createControls(): TransformControls {
    const made = new TransformControls(camera, canvas);
    object.add(made.getHelper());
    made.setSize(0.9);
    made.addEventListener('change', on.change);
    made.addEventListener('dragging-changed', ({ value }) => {
      on.dragging(value === true);
      if (value === true) before = poseNow();
      else end();
    });
    made.addEventListener('objectChange', () => {
      keepProportions();
      target?.onChange(poseNow());
    });
    return made;
  }

  function apply(): void {
    if (controls === null) return;
    controls.setMode(modes[mode]);
    controls.setSpace(mode === 'move' ? 'world' : 'local');
    const isYawOnly = mode === 'turn' && !hasAllAxes;
    controls.showX = !isYawOnly;
    controls.showY = !isYawOnly;
    controls.showZ = true;
    on.change();
  }

  /** Why: a model has one scale; whichever axis was drawn at counts. */
  function keepProportions(): void {
    if (mode !== 'scale' || before === null) return;
    const was = before.scale;
    const factor = standIn.scale
      .toArray()
      .map((axis) => axis / was)
      .reduce((most, one) => (Math.abs(one - 1) > Math.abs(most - 1) ? one : most), 1);
    standIn.scale.setScalar(Math.max(was * factor, 0.01));
  }

  function poseNow(): GizmoPose {
    const { x, y, z, w } = standIn.quaternion;
    return {
      positionM: standIn.position.toArray(),
      rotation: [x, y, z, w],
      scale: standIn.scale.x,
    };
  }

  function end(): void {
    const pose = poseNow();
    if (target === null || before === null) return;
    if (JSON.stringify(pose) !== JSON.stringify(before)) target.onEnd(pose, before);
    before = null;
  }
}
