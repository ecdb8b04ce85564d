// Brings into the picture of the scene what sensors do there: the saved scans, the sensor with its field of view, and
// the pulse that is looked at. Points of scans can be clicked.
import { nextTick, onBeforeUnmount, watch, type Ref, type ShallowRef } from 'vue';
import { degreesOf, radiansOf } from '#renderer/logic/angles.ts';
import { classColour, type Rgb } from '#domain/shared/colours.ts';
import { fieldEdges, laserFan } from '#renderer/logic/sensor/fieldOfView.ts';
import { nearestPoint } from '#renderer/logic/cloud/nearestPoint.ts';
import { rayDirection } from '#renderer/logic/pulse/rayDirection.ts';
import { scanColours } from '#renderer/logic/scans/scanColours.ts';
import { useDocks } from '#renderer/stores/frame/docks.ts';
import { usePulse, type ShownPulse } from '#renderer/stores/sensor/pulse.ts';
import { useScans, type SavedScan } from '#renderer/stores/sensor/scans.ts';
import { useScene } from '#renderer/stores/scene/scene.ts';
import { useSensors } from '#renderer/stores/sensor/sensors.ts';
import {
  createColouredCloud,
  type ColouredCloud,
} from '#renderer/viewer/engine/points/colouredCloud.ts';
import type { PickRay } from '#renderer/viewer/engine/viewport.ts';
import {
  createPulseMarks,
  type PulseLine,
  type PulseMarks,
} from '#renderer/viewer/scans/pulseMarks.ts';

import { createSensorMarks, type SensorMarks } from '#renderer/viewer/scans/sensorMarks.ts';
import type { SceneViewer } from '#renderer/viewer/scene/sceneViewerTypes.ts';
import type { Theme } from '#renderer/logic/viewer/viewSettings.ts';

/** What a click may be off by. */
const clickPx = 7;
/** Edges of the field of view and beams are drawn so far, and no farther than the sensor sees. */
const fieldM = 6;
const maxBeams = 64;
const maxRays = 400;
/** Half of what is framed about a sensor whose scan would be out of sight. */
const surroundingsM = 18;
/** Rays that met nothing are drawn so far. */
const missM = 40;

interface Overlay {
  viewer: SceneViewer;
  clouds: Map<number, ColouredCloud>;
  sensor: SensorMarks;
  pulse: PulseMarks;
  end: () => void;
}

export function useScanOverlay(
  viewer: Readonly<ShallowRef<SceneViewer | null>>,
  theme: Readonly<Ref<Theme>>,
): void {
  const scans = useScans();
  const sensors = useSensors();
  const pulses = usePulse();
  const docks = useDocks();
  const scene = useScene();
  let overlay: Overlay | null = null;
  let isDragging = false;
  let hadHandles = false;

  watch(
    viewer,
    (made) => {
      overlay?.end();
      overlay = made === null ? null : open(made);
    },
    { immediate: true },
  );
  watch(
    [
      viewer,
      () => scans.saved.map(({ id }) => id),
      () => scans.drawn.map(({ id }) => id),
      () => scans.isClean,
    ],
    showClouds,
    { deep: true },
  );
  watch(
    [viewer, () => scans.by, () => scans.scale, () => scans.range, () => scans.drawn],
    paintClouds,
  );
  watch(
    [viewer, () => ({ ...scans.pose }), () => sensors.shown, () => scans.isSensorShown],
    showSensor,
    { immediate: true },
  );
  watch([viewer, () => pulses.shown, () => pulses.marked, () => scene.contents], showPulse);
  watch([viewer, theme], setColours, { flush: 'post' });
  watch([viewer, () => scans.handles], attachHandles);
  watch(
    () => [scans.pose.xM, scans.pose.yM, scans.pose.zM, scans.pose.yawDeg],
    () => {
      if (!isDragging && scans.handles !== 'none') attachHandles();
    },
  );
  watch(
    () => scans.isPlacing,
    (isPlacing) => {
      scene.clickHandler = isPlacing ? placeAt : null;
    },
  );
  onBeforeUnmount(() => overlay?.end());

  function open(made: SceneViewer): Overlay {
    const group = made.overlay('scans');
    const sensor = createSensorMarks();
    const pulse = createPulseMarks();
    group.add(sensor.object, pulse.object);
    let met: { scan: SavedScan; row: number } | null = null;
    const removePicker = made.addPicker({
      meet: (ray, pixelRad) => {
        const found = nearestOf(scans.drawn, scans.isClean, ray, clickPx * pixelRad);
        met = found;
        return found?.distanceM ?? null;
      },
      click: () => {
        if (met === null) return;
        void pulses.show(met.scan, met.row);
        docks.show('pulse');
      },
    });
    const clouds = new Map<number, ColouredCloud>();
    return {
      ...{ viewer: made, clouds, sensor, pulse },
      end: () => {
        removePicker();
        group.clear();
        for (const part of [sensor, pulse, ...clouds.values()]) part.dispose();
      },
    };
  }

  /** Where somebody clicked, as high above it as it stood above the ground before. */
  function placeAt([xM, yM, zM]: readonly [number, number, number]): void {
    scans.isPlacing = false;
    scans.standAt({ xM: millimetres(xM), yM: millimetres(yM), zM: millimetres(zM + scans.mountM) });
  }

  function attachHandles(): void {
    if (overlay === null) return;
    const { handles, pose } = scans;
    if (handles === 'none') {
      // Why not always: the handles may be at an object.
      if (hadHandles) overlay.viewer.attachGizmo(null);
      hadHandles = false;
      return;
    }
    hadHandles = true;
    const half = radiansOf(pose.yawDeg) / 2;
    overlay.viewer.setGizmoMode(handles, false);
    overlay.viewer.attachGizmo({
      pose: {
        positionM: [pose.xM, pose.yM, pose.zM],
        rotation: [0, 0, Math.sin(half), Math.cos(half)],
        scale: 1,
      },
      onChange: ({ positionM: [xM, yM, zM], rotation: [, , z, w] }) => {
        isDragging = true;
        scans.standAt({
          ...{ xM: millimetres(xM), yM: millimetres(yM), zM: millimetres(zM) },
          yawDeg: Math.round(10 * degreesOf(2 * Math.atan2(z, w))) / 10,
        });
        void nextTick(() => (isDragging = false));
      },
      onEnd: () => undefined,
    });
  }

  function showClouds(): void {
    if (overlay === null) return;
    const group = overlay.viewer.overlay('scans');
    for (const [id, cloud] of overlay.clouds) {
      if (scans.saved.some((scan) => scan.id === id)) continue;
      group.remove(cloud.object);
      cloud.dispose();
      overlay.clouds.delete(id);
    }
    for (const { id, table, settings } of scans.saved) {
      const isDrawn = scans.drawn.some((scan) => scan.id === id);
      let cloud = overlay.clouds.get(id);
      if (cloud === undefined) {
        if (!isDrawn) continue;
        cloud = createColouredCloud();
        cloud.setPixelRatio(devicePixelRatio);
        overlay.clouds.set(id, cloud);
        group.add(cloud.object);
        const [xM, yM, zM] = settings.pose.positionM;
        overlay.viewer.bringIntoSight([xM, yM, zM], surroundingsM);
      }
      cloud.setPositions(scans.isClean ? table.cleanM : table.noisyM);
      cloud.object.visible = isDrawn;
    }
    paintClouds();
  }

  function paintClouds(): void {
    if (overlay === null) return;
    for (const { id, table, colour } of scans.drawn) {
      const paint = { range: scans.range, scale: scans.scale, own: colour };
      overlay.clouds.get(id)?.setColours(scanColours(table, scans.by, paint));
    }
    overlay.viewer.invalidate();
  }

  function showSensor(): void {
    if (overlay === null) return;
    const recipe = sensors.shown?.shown.recipe;
    overlay.sensor.object.visible = scans.isSensorShown && recipe !== undefined;
    if (recipe !== undefined) {
      const lengthM = Math.min(fieldM, recipe.maxRangeM);
      overlay.sensor.show(laserFan(recipe, lengthM, maxBeams), fieldEdges(recipe, lengthM));
      const { xM, yM, zM, yawDeg, pitchDeg } = scans.pose;
      overlay.sensor.place([xM, yM, zM], radiansOf(yawDeg), radiansOf(pitchDeg));
    }
    overlay.viewer.invalidate();
  }

  function showPulse(): void {
    if (overlay === null) return;
    const { shown, marked } = pulses;
    const isOfScene = shown !== null && scans.relationOf(shown.scan) === 'current';
    overlay.pulse.object.visible = isOfScene;
    if (isOfScene) {
      overlay.pulse.show(
        pulseLines(shown, marked),
        shown.returns.map(({ positionM }) => positionM),
      );
    }
    overlay.viewer.invalidate();
  }

  function setColours(): void {
    if (overlay === null) return;
    const style = getComputedStyle(document.documentElement);
    const colour = (name: string): string => style.getPropertyValue(name).trim();
    overlay.sensor.setColours({
      body: colour('--text'),
      fan: colour('--accent'),
      edges: colour('--view-vehicle'),
    });
    overlay.pulse.setColour(colour('--danger'));
    overlay.viewer.invalidate();
  }
}

/** The point of the visible scans that a click means. */
function nearestOf(
  visible: readonly SavedScan[],
  isClean: boolean,
  { originM, direction }: PickRay,
  angleRad: number,
): { scan: SavedScan; row: number; distanceM: number } | null {
  let best: { scan: SavedScan; row: number; distanceM: number } | null = null;
  for (const scan of visible) {
    const places = isClean ? scan.table.cleanM : scan.table.noisyM;
    const found = nearestPoint(places, originM, direction, angleRad);
    if (found !== null && found.distanceM < (best?.distanceM ?? Infinity))
      best = { scan, ...found };
  }
  return best;
}

/** Each ray from the sensor to what it hit, in the class's colour; one that is pointed at in white. */
function pulseLines({ scan, rays, returns }: ShownPulse, marked: number | null): PulseLine[] {
  const { pose } = scan.settings;
  const fromM = pose.positionM;
  const stride = Math.ceil(rays.length / maxRays);
  const [axis] = returns;
  return rays.flatMap(({ ray, left, up, hits }, index): PulseLine[] => {
    if (index % stride !== 0 && ray !== marked) return [];
    if (hits.length > 0) {
      return hits.map(({ positionM: toM, classId }) => {
        return {
          fromM,
          toM,
          rgb: ray === marked ? white : unit(classColour(classId)),
          isHit: true,
        };
      });
    }
    if (axis === undefined) return [];
    const lengthM = Math.min(missM, scan.recipe.maxRangeM);
    const way = rayDirection(axis, { left, up }, pose);
    const toM = way.map((part, at) => (fromM[at] ?? 0) + lengthM * part) as [
      number,
      number,
      number,
    ];
    return [{ fromM, toM, rgb: ray === marked ? white : grey, isHit: false }];
  });
}

const white = [1, 1, 1] as const;
const grey = [0.55, 0.58, 0.57] as const;

function millimetres(valueM: number): number {
  return Math.round(1000 * valueM) / 1000;
}

function unit([red, green, blue]: Rgb): [number, number, number] {
  return [red / 255, green / 255, blue / 255];
}
