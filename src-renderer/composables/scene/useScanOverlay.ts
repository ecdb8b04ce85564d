// Brings into the view of a scene what sensors do there: the saved scans, the sensor with its field of view, and the
// pulse that is inspected. Points of scans can be clicked.
import { onBeforeUnmount, watch, type Ref, type ShallowRef } from 'vue';
import { themeColours } from '#renderer/browser/themeColour.ts';
import { fieldOfView } from '#domain/shared/fieldOfView.ts';
import { radians } from '#domain/shared/numbers.ts';
import { nearestOfClouds, type CloudPoint } from '#renderer/logic/cloud/nearestPoint.ts';
import { wholeMillimetres } from '#renderer/logic/rounding.ts';
import { scanColours } from '#renderer/logic/scans/scanColours.ts';
import { fieldEdges, laserFan } from '#renderer/logic/sensor/fieldOfView.ts';
import type { Theme } from '#renderer/logic/viewer/viewSettings.ts';
import { useDocks } from '#renderer/stores/frame/docks.ts';
import { useScene } from '#renderer/stores/scene/scene.ts';
import { usePulse } from '#renderer/stores/sensor/pulse.ts';
import type { SavedScan } from '#renderer/stores/sensor/savedScans.ts';
import { useScanOctrees } from '#renderer/stores/sensor/scanOctrees.ts';
import { useScans } from '#renderer/stores/sensor/scans.ts';
import { useSensors } from '#renderer/stores/sensor/sensors.ts';
import type { Picker } from '#renderer/viewer/engine/viewport.ts';
import { createPulseMarks, type PulseMarks } from '#renderer/viewer/scans/pulseMarks.ts';
import { createScanClouds, type ScanClouds } from '#renderer/viewer/scans/scanClouds.ts';
import { createSensorMarks, type SensorMarks } from '#renderer/viewer/scans/sensorMarks.ts';
import type { SceneViewer } from '#renderer/viewer/scene/sceneViewerTypes.ts';
import { pulseLines } from './pulseLines.ts';
import { useScanOctreeLayers } from './useScanOctrees.ts';
import { useSensorHandles } from './useSensorHandles.ts';

/** Tolerance of a click. */
const clickPx = 7;
/** Edges of the field of view and beams are drawn so far, and no farther than the sensor sees. */
const fieldM = 6;
const maxBeams = 64;
/** Half of what is framed about a sensor whose scan would be out of sight. */
const surroundingsM = 18;

interface Overlay {
  viewer: SceneViewer;
  clouds: ScanClouds;
  sensor: SensorMarks;
  pulse: PulseMarks;
  dispose: () => void;
}

/** Draws the visible scans, the sensor and the shown pulse over the scene view while the component lives. */
export function useScanOverlay(
  viewer: Readonly<ShallowRef<SceneViewer | null>>,
  theme: Readonly<Ref<Theme>>,
): void {
  const scans = useScans();
  const sensors = useSensors();
  const pulses = usePulse();
  const scene = useScene();
  const octrees = useScanOctrees();
  const picker = useScanPicker(viewer);
  let overlay: Overlay | null = null;

  watch(
    viewer,
    (made) => {
      overlay?.dispose();
      overlay = made === null ? null : createOverlay(made, picker);
    },
    { immediate: true },
  );
  watch(
    [
      viewer,
      () => scans.saved.map(({ id }) => id),
      () => scans.drawn.map((scan) => [scan.id, octrees.isDrawn(scan)]),
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
  watch(
    () => scans.isPlacing,
    (isPlacing) => {
      scene.clickHandler = isPlacing ? placeAt : null;
    },
  );
  useScanOctreeLayers(viewer);
  useSensorHandles(viewer);
  onBeforeUnmount(() => overlay?.dispose());

  /** The clicked place, at the same height above ground as before. */
  function placeAt([xM, yM, zM]: readonly [number, number, number]): void {
    scans.isPlacing = false;
    scans.standAt({
      xM: wholeMillimetres(xM),
      yM: wholeMillimetres(yM),
      zM: wholeMillimetres(zM + scans.mountM),
    });
  }

  function showClouds(): void {
    if (overlay === null) return;
    const added = overlay.clouds.show(
      scans.saved.map(({ id, table }) => ({
        id,
        positionsM: scans.isClean ? table.cleanM : table.noisyM,
        isDrawn: scans.drawn.some((scan) => scan.id === id && !octrees.isDrawn(scan)),
      })),
    );
    for (const { id, settings } of scans.saved) {
      const [xM, yM, zM] = settings.pose.positionM;
      if (added.includes(id)) overlay.viewer.bringIntoSight([xM, yM, zM], surroundingsM);
    }
    paintClouds();
  }

  function paintClouds(): void {
    if (overlay === null) return;
    for (const { id, table, colour } of scans.drawn) {
      const paint = { range: scans.range, scale: scans.scale, own: colour };
      overlay.clouds.setColours(id, scanColours(table, scans.by, paint));
    }
    overlay.viewer.invalidate();
  }

  function showSensor(): void {
    if (overlay === null) return;
    const recipe = sensors.shown?.shown.recipe;
    overlay.sensor.object.visible = scans.isSensorShown && recipe !== undefined;
    if (recipe !== undefined) {
      const lengthM = Math.min(fieldM, recipe.maxRangeM);
      overlay.sensor.show(
        laserFan(recipe, lengthM, maxBeams),
        fieldEdges(fieldOfView(recipe), lengthM),
      );
      const { xM, yM, zM, yawDeg, pitchDeg } = scans.pose;
      overlay.sensor.place([xM, yM, zM], radians(yawDeg), radians(pitchDeg));
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
    const colour = themeColours();
    overlay.sensor.setColours({
      body: colour('--text'),
      fan: colour('--accent'),
      edges: colour('--view-vehicle'),
    });
    overlay.pulse.setColour(colour('--danger'));
    overlay.viewer.invalidate();
  }
}

function createOverlay(viewer: SceneViewer, picker: Picker): Overlay {
  const group = viewer.overlay('scans');
  const clouds = createScanClouds(viewer.points, viewer.viewClip);
  const sensor = createSensorMarks();
  const pulse = createPulseMarks();
  group.add(sensor.object, pulse.object);
  const removePicker = viewer.addPicker(picker);
  return {
    viewer,
    clouds,
    sensor,
    pulse,
    dispose() {
      removePicker();
      group.clear();
      for (const part of [sensor, pulse, clouds]) part.dispose();
    },
  };
}

/** A click on a point of a drawn scan shows the pulse behind it. */
function useScanPicker(viewer: Readonly<ShallowRef<SceneViewer | null>>): Picker {
  const scans = useScans();
  const pulses = usePulse();
  const docks = useDocks();
  let met: { scan: SavedScan; point: CloudPoint } | null = null;
  return {
    meet(ray, pixelRad) {
      const isShown = viewer.value?.viewClip.isInside;
      if (isShown === undefined) return null;
      const clouds = scans.drawn.map(({ table }) => (scans.isClean ? table.cleanM : table.noisyM));
      const point = nearestOfClouds(clouds, ray, clickPx * pixelRad, isShown);
      const scan = scans.drawn[point?.cloud ?? -1];
      met = point === null || scan === undefined ? null : { scan, point };
      return point?.distanceM ?? null;
    },
    placeM: () => met?.point.placeM ?? null,
    click() {
      if (met === null) return;
      void pulses.show(met.scan, met.point.row);
      docks.show('pulse');
    },
  };
}
