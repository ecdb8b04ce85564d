// Scans of the open scene: where the sensor stands, scanning once, and the scans that are saved to be compared.
import { defineStore } from 'pinia';
import { computed, ref } from 'vue';
import type { SceneContents } from '#contract/host/sceneMethods.ts';
import type { Client } from '#renderer/client/client.ts';
import { useClient } from '#renderer/client/injection.ts';
import type { ScaleName } from '#domain/shared/colours.ts';
import { sentenceOf } from '#renderer/logic/problems.ts';
import { commandOf } from '#renderer/logic/commandLine.ts';
import { commonRange, type ScanColouring } from '#renderer/logic/scans/scanColours.ts';
import { scanName } from '#renderer/logic/scans/scanName.ts';
import { sceneRelation, type SceneRelation } from '#renderer/logic/scans/scannedScene.ts';
import { useMotionTime } from '../scene/motionTime.ts';
import { useScene } from '../scene/scene.ts';
import { useSceneEdit } from '../scene/sceneEdit.ts';
import { createSavedScans, type SavedScan, type ScanSettings } from './savedScans.ts';
import { createScanRunner, type ScanResult } from './scanJob.ts';
import { createSensorPlacement, type SensorPose } from './sensorPlacement.ts';
import { useSensors } from './sensors.ts';

export const useScans = defineStore('scans', () => {
  const client = useClient();
  const scene = useScene();
  const edit = useSceneEdit();
  const sensors = useSensors();
  const motion = useMotionTime();
  /** Null: one scan of the sensor. */
  const seconds = ref<number | null>(null);
  const seed = ref<number | null>(null);
  const scans = createSavedScans(relationOf);
  const { saved, visible, drawn, isOlderShown, remove, clear, rename, setVisible } = scans;
  const by = ref<ScanColouring>('height');
  const scale = ref<ScaleName>('viridis');
  const isClean = ref(false);
  const isSensorShown = ref(true);
  const runner = createScanRunner();
  const { isScanning, cancel } = runner;
  const error = ref<string | null>(null);
  const placement = createSensorPlacement({
    heightBelow: (xM, yM) => heightBelow(client, scene.contents, [xM, yM]),
    placed: () => (error.value = null),
    failed: (failure) => (error.value = sentenceOf(failure)),
  });
  const { pose, worldPose, mountM, isPlacing, handles } = placement;
  const { standAt, standInWorld, standAtStart } = placement;
  const range = computed(() =>
    commonRange(
      drawn.value.map(({ table }) => table),
      by.value,
    ),
  );
  const settings = computed<ScanSettings>(() => ({
    ...sensors.settings,
    ...(sensors.isEdited && { sensorText: sensors.text }),
    ...(seed.value !== null && { seed: seed.value }),
    pose: documentPose(pose),
  }));
  /** The scan as the host makes it into a file, without the file. */
  const fileRequest = computed(() => {
    const time = seconds.value ?? 1 / (sensors.shown?.shown.recipe.scan.rateHz ?? 10);
    const place = { pose: documentPose(worldPose.value), ...motion.scanStart, seconds: time };
    return { ...settings.value, scenario: scene.scenario ?? '', ...place };
  });
  const command = computed(() =>
    commandOf('scan.start', { ...fileRequest.value, out: 'scan.pcd' }),
  );

  return {
    pose,
    worldPose,
    seconds,
    seed,
    saved,
    by,
    scale,
    isClean,
    isSensorShown,
    isScanning,
    error,
    isPlacing,
    handles,
    mountM,
    visible,
    drawn,
    isOlderShown,
    range,
    settings,
    fileRequest,
    command,
    relationOf,
    scan,
    cancel,
    remove,
    clear,
    rename,
    setVisible,
    standAtStart,
    standAt,
    standInWorld,
  };

  /** One scan of the open scene by the chosen sensor at its present pose; one that is being built is awaited. */
  async function scan(): Promise<void> {
    const { scenario } = scene;
    if (scene.contents === null || isScanning.value) return;
    // Why: the scene from before an edit is closed when the edited one comes, and its scans would count as edited.
    await scene.whenBuilt();
    const { contents } = scene;
    const sensor = sensors.shown?.shown;
    const isSame = scene.scenario === scenario;
    if (contents === null || sensor === undefined || isScanning.value || !isSame) return;
    const asked = settings.value;
    const start = motion.scanStart;
    const { isEdited } = sensors;
    const scanned = { scenario: scene.scenario ?? '', contents, edits: edit.editCount };
    const time = seconds.value ?? 1 / sensor.recipe.scan.rateHz;
    error.value = null;
    try {
      const done = await runner.run({
        name: sensor.sensor.name,
        request: { scene: contents.scene, ...asked, ...start, seconds: time },
        command: edit.isUnsaved || isEdited ? null : command.value,
      });
      if (done === null) return;
      scans.add({
        name: scanName(sensor, isEdited, start.fromS),
        sensorName: sensor.sensor.name,
        recipe: sensor.recipe,
        settings: { ...asked, seed: asked.seed ?? contents.seed },
        seconds: time,
        scene: scanned,
        ...madeBy(done),
      });
    } catch (failure) {
      error.value = sentenceOf(failure);
    }
  }

  function relationOf(scan: SavedScan): SceneRelation {
    return sceneRelation(scan.scene, { scenario: scene.scenario, contents: scene.contents });
  }
});

function madeBy({ reply: { classes, pulses, rays, returns, hash, saved }, table }: ScanResult) {
  return { classes, pulses, rays, returns, hash, saved, table };
}

/** A pose as documents and requests have it. */
function documentPose({ xM, yM, zM, ...angles }: SensorPose): ScanSettings['pose'] {
  return { positionM: [xM, yM, zM], ...angles };
}

/** Height of the topmost surface of the open scene there; 0 where there is none. */
async function heightBelow(
  client: Client,
  contents: SceneContents | null,
  [xM, yM]: [number, number],
): Promise<number> {
  if (contents === null) return 0;
  const place = { scene: contents.scene, xM, yM, ofGround: true };
  const { heightM } = await client.call('scene.heightAt', place);
  return heightM ?? 0;
}
