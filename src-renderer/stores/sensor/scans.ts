// Scans of the open scene: the sensor's pose, scanning once, and the scans that are saved to be compared.
import { defineStore } from 'pinia';
import { computed, reactive, ref, shallowReactive, watch } from 'vue';
import type { Columns } from '#contract/columns.ts';
import { isCancelled } from '#contract/errors.ts';
import type { RequestInputOf } from '#contract/host/methods.ts';
import type { SensorRecipe } from '#contract/worker/recipe.ts';
import type { Scenario } from '#contract/documents/scenario.ts';
import { useClient } from '#renderer/client/injection.ts';
import { classColour, type Rgb, type ScaleName } from '#domain/shared/colours.ts';
import { sentenceOf } from '#renderer/logic/problems.ts';
import { scanCommand } from '#renderer/logic/scans/scanCommand.ts';
import { commonRange, type ScanColouring } from '#renderer/logic/scans/scanColours.ts';
import { scanColumns, scanTable, type ScanTable } from '#renderer/logic/scans/scanTable.ts';
import {
  sceneRelation,
  type SceneRelation,
  type ScannedScene,
} from '#renderer/logic/scans/scannedScene.ts';
import { useJobs } from '../host/jobs.ts';
import { useScene } from '../scene/scene.ts';
import { useSceneEdit } from '../scene/sceneEdit.ts';
import { useSensors } from './sensors.ts';

export interface SensorPose {
  xM: number;
  yM: number;
  zM: number;
  yawDeg: number;
  pitchDeg: number;
}

/** What a scan was made with; a pulse of it is asked for with the same. */
type ScanSettings = Pick<
  RequestInputOf<'scene.scan'>,
  'sensor' | 'sensorText' | 'rateHz' | 'mode' | 'pose' | 'seed'
>;

export interface SavedScan {
  id: number;
  name: string;
  colour: Rgb;
  isVisible: boolean;
  sensorName: string;
  recipe: SensorRecipe;
  settings: ScanSettings;
  seconds: number;
  /** The scene that was scanned, as it was then. */
  scene: ScannedScene;
  classes: string[];
  pulses: number;
  rays: number;
  hash: string;
  table: ScanTable;
}

/** Rows above which no more are taken: the page has to hold and draw them. */
const maxRows = 1_500_000;
const defaultMountM = 2;

export const useScans = defineStore('scans', () => {
  const client = useClient();
  const jobs = useJobs();
  const scene = useScene();
  const edit = useSceneEdit();
  const sensors = useSensors();
  const pose = reactive<SensorPose>({ xM: 0, yM: 0, zM: defaultMountM, yawDeg: 0, pitchDeg: 0 });
  /** Null: one scan of the sensor. */
  const seconds = ref<number | null>(null);
  const seed = ref<number | null>(null);
  const saved = shallowReactive<SavedScan[]>([]);
  const by = ref<ScanColouring>('scan');
  const scale = ref<ScaleName>('viridis');
  const isClean = ref(false);
  const isSensorShown = ref(true);
  const isScanning = ref(false);
  /** The next click into the scene sets the sensor's position. */
  const isPlacing = ref(false);
  /** The sensor is moved or turned by handles in the scene. */
  const handles = ref<'none' | 'move' | 'turn'>('none');
  const error = ref<string | null>(null);
  /** Two or more, to be compared in figures; and the one of clean and noisy. */
  const visible = computed(() => saved.filter(({ isVisible }) => isVisible));
  /** Of these, the ones that the view shows: none of another scenario, older versions on request. */
  const isOlderShown = ref(false);
  const drawn = computed(() =>
    visible.value.filter((scan) => {
      const relation = relationOf(scan);
      return relation === 'current' || (relation === 'edited' && isOlderShown.value);
    }),
  );
  const range = computed(() =>
    commonRange(
      drawn.value.map(({ table }) => table),
      by.value,
    ),
  );
  /** Height of the sensor above ground at its last position. */
  const mountM = ref(defaultMountM);
  let nextId = 1;
  let placedFor: string | null = null;
  let running: AbortController | null = null;

  const settings = computed<ScanSettings>(() => ({
    ...sensors.settings,
    ...(sensors.isEdited && { sensorText: sensors.text }),
    ...(seed.value !== null && { seed: seed.value }),
    pose: {
      positionM: [pose.xM, pose.yM, pose.zM],
      yawDeg: pose.yawDeg,
      pitchDeg: pose.pitchDeg,
    },
  }));
  const command = computed(() => {
    const rateHz = sensors.shown?.shown.recipe.scan.rateHz ?? 10;
    const time = seconds.value ?? 1 / rateHz;
    return scanCommand(scene.scenario ?? '', settings.value, time);
  });

  watch(
    () => scene.contents,
    (contents) => {
      if (contents !== null && placedFor !== scene.scenario) void standAtStart();
    },
    { immediate: true },
  );
  return {
    ...{ pose, seconds, seed, saved, by, scale, isClean, isSensorShown, isScanning, error },
    ...{ isPlacing, handles, mountM },
    ...{ visible, drawn, isOlderShown, range, settings, command },
    ...{ relationOf, scan, cancel, remove, clear, rename, setVisible, standAtStart, standAt },
  };

  /** One scan of the open scene by the chosen sensor, edits included. */
  async function scan(): Promise<void> {
    const { contents } = scene;
    const sensor = sensors.shown?.shown;
    if (contents === null || sensor === undefined || isScanning.value) return;
    const asked = settings.value;
    const { isEdited } = sensors;
    const scanned = { scenario: scene.scenario ?? '', contents, edits: edit.editCount };
    const time = seconds.value ?? 1 / sensor.recipe.scan.rateHz;
    const chunks: Columns[] = [];
    const own = new AbortController();
    let rows = 0;
    running = own;
    isScanning.value = true;
    error.value = null;
    try {
      const { reply } = await jobs.run(
        `Scan: ${sensor.sensor.name}`,
        'scene.scan',
        { scene: contents.scene, ...asked, seconds: time, columns: [...scanColumns] },
        {
          ...(!edit.isUnsaved && !isEdited && { command: command.value }),
          signal: own.signal,
          onChunk: (_, columns) => {
            chunks.push(columns);
            rows += columns['pulse']?.length ?? 0;
            if (rows > maxRows) own.abort();
          },
        },
      );
      const id = nextId++;
      saved.push(
        shallowReactive({
          id,
          name: `${id} · ${sensor.sensor.id}${isEdited ? ', edited' : ''}, ${sensor.recipe.returns.mode}`,
          colour: classColour(id - 1),
          isVisible: true,
          sensorName: sensor.sensor.name,
          recipe: sensor.recipe,
          settings: { ...asked, seed: asked.seed ?? contents.seed },
          seconds: time,
          scene: scanned,
          classes: reply.classes,
          pulses: reply.pulses,
          rays: reply.rays,
          hash: reply.hash,
          table: scanTable(chunks),
        }),
      );
    } catch (failure) {
      if (rows > maxRows) error.value = tooMany(rows);
      else if (!isCancelled(failure)) error.value = sentenceOf(failure);
    } finally {
      isScanning.value = false;
      running = null;
    }
  }

  function relationOf(scan: SavedScan): SceneRelation {
    return sceneRelation(scan.scene, { scenario: scene.scenario, contents: scene.contents });
  }

  function cancel(): void {
    running?.abort();
  }

  function remove(id: number): void {
    const at = saved.findIndex((one) => one.id === id);
    if (at !== -1) saved.splice(at, 1);
  }

  function clear(): void {
    saved.splice(0);
  }

  function rename(id: number, name: string): void {
    const found = saved.find((one) => one.id === id);
    if (found !== undefined && name.trim() !== '') found.name = name.trim();
  }

  function setVisible(id: number, isVisible: boolean): void {
    const found = saved.find((one) => one.id === id);
    if (found !== undefined) found.isVisible = isVisible;
  }

  function standAt(next: Partial<SensorPose>): void {
    Object.assign(pose, next);
  }

  /** Where the vehicle begins, in the place of the sensor that was taken of its rig or of its first; else in the middle. */
  async function standAtStart(): Promise<void> {
    const { contents, scenario, text } = scene;
    if (contents === null || scenario === null) return;
    try {
      const read = await client.call('document.read', { kind: 'scenario', document: scenario });
      const { value } = await client.call('document.edit', {
        kind: 'scenario',
        text: text ?? read.text,
        file: read.file,
      });
      const { mission, sensors: mounts } = (value ?? {}) as Partial<Scenario>;
      const [startX, startY] = mission?.startM ?? middleOf(contents.summary);
      const startYawDeg = mission?.startYawDeg ?? 0;
      const taken = mounts?.find(({ name }) => name === sensors.mountedAs) ?? mounts?.[0];
      const { positionM, yawDeg, pitchDeg } = taken?.mount ?? {
        positionM: [0, 0, defaultMountM],
        yawDeg: 0,
        pitchDeg: 0,
      };
      const [cos, sin] = [Math.cos, Math.sin].map((f) => f((startYawDeg * Math.PI) / 180)) as [
        number,
        number,
      ];
      const xM = startX + cos * positionM[0] - sin * positionM[1];
      const yM = startY + sin * positionM[0] + cos * positionM[1];
      const groundM = await heightBelow(xM, yM);
      mountM.value = positionM[2];
      Object.assign(pose, {
        ...{ xM: rounded(xM), yM: rounded(yM), zM: rounded(groundM + positionM[2]) },
        ...{ yawDeg: rounded(startYawDeg + yawDeg), pitchDeg },
      });
      placedFor = scenario;
      error.value = null;
    } catch (failure) {
      // Why not always: a scene that was built again meanwhile is asked again.
      if (scene.contents === contents) error.value = sentenceOf(failure);
    }
  }

  /** Height of the topmost surface there; 0 where there is none. */
  async function heightBelow(xM: number, yM: number): Promise<number> {
    const { contents } = scene;
    if (contents === null) return 0;
    const { heightM } = await client.call('scene.heightAt', { scene: contents.scene, xM, yM });
    return heightM ?? 0;
  }
});

function middleOf({
  minM,
  maxM,
}: {
  minM: readonly number[];
  maxM: readonly number[];
}): [number, number] {
  return [((minM[0] ?? 0) + (maxM[0] ?? 0)) / 2, ((minM[1] ?? 0) + (maxM[1] ?? 0)) / 2];
}

function rounded(value: number): number {
  return Math.round(1000 * value) / 1000;
}

function tooMany(rows: number): string {
  const millions = (rows / 1e6).toFixed(1);
  return `More than ${millions} million returns: too many for the page. Scan for a shorter time, or copy the command and scan to a file.`;
}
