// The handles by which the sensor of a scan is moved and turned in the view of a scene.
import { nextTick, watch, type ShallowRef } from 'vue';
import { degrees, radians } from '#domain/shared/numbers.ts';
import { wholeMillimetres } from '#renderer/logic/rounding.ts';
import { useScans } from '#renderer/stores/sensor/scans.ts';
import type { SensorPose } from '#renderer/stores/sensor/sensorPlacement.ts';
import type { GizmoPose } from '#renderer/viewer/scene/gizmo.ts';
import type { SceneViewer } from '#renderer/viewer/scene/sceneViewerTypes.ts';

/** Shows the handles of the sensor in the scene view; moving one moves the sensor of the next scan. */
export function useSensorHandles(viewer: Readonly<ShallowRef<SceneViewer | null>>): void {
  const scans = useScans();
  let isDragging = false;
  let isAttached = false;

  watch([viewer, () => scans.handles], attach);
  watch(
    () => [scans.pose.xM, scans.pose.yM, scans.pose.zM, scans.pose.yawDeg],
    () => {
      if (!isDragging && scans.handles !== 'none') attach();
    },
  );

  function attach(): void {
    const made = viewer.value;
    if (made === null) return;
    const { handles, pose } = scans;
    if (handles === 'none') {
      // Why not always: the handles may be at an object.
      if (isAttached) made.attachGizmo(null);
      isAttached = false;
      return;
    }
    isAttached = true;
    made.setGizmoMode(handles, false);
    made.attachGizmo({
      pose: gizmoPose(pose),
      onChange: (next) => {
        isDragging = true;
        scans.standAt(sensorPose(next));
        void nextTick(() => (isDragging = false));
      },
      onEnd: () => undefined,
    });
  }
}

function gizmoPose({ xM, yM, zM, yawDeg }: SensorPose): GizmoPose {
  const half = radians(yawDeg) / 2;
  return {
    positionM: [xM, yM, zM],
    rotation: [0, 0, Math.sin(half), Math.cos(half)],
    scale: 1,
  };
}

/** In millimetres and tenths of a degree; handles do not change the pitch. */
function sensorPose({
  positionM: [xM, yM, zM],
  rotation: [, , z, w],
}: GizmoPose): Omit<SensorPose, 'pitchDeg'> {
  return {
    xM: wholeMillimetres(xM),
    yM: wholeMillimetres(yM),
    zM: wholeMillimetres(zM),
    yawDeg: Math.round(10 * degrees(2 * Math.atan2(z, w))) / 10,
  };
}
