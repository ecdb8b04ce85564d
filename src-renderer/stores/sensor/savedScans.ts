// Scans of the page, to be shown together and compared. They are not stored: a page that is loaded again has none.
import { computed, ref, shallowReactive, type ComputedRef, type Ref } from 'vue';
import type { SensorRecipe } from '#contract/worker/sensorRecipe.ts';
import type { RequestInputOf } from '#contract/host/methods.ts';
import { itemColour, type Rgb } from '#domain/shared/colours.ts';
import type { ScannedScene, SceneRelation } from '#renderer/logic/scans/scannedScene.ts';
import type { ScanTable } from '#renderer/logic/scans/scanTable.ts';

/** Settings of a scan; a pulse of it is asked for with the same. */
export type ScanSettings = Pick<
  RequestInputOf<'scene.pulse'>,
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
  returns: number;
  hash: string;
  /** All returns, or an even sample of them. */
  table: ScanTable;
  /** Name of all returns on the host; null: the table has them. */
  saved: string | null;
}

export interface SavedScans {
  saved: SavedScan[];
  /** Two or more, to be compared in numbers; and the one of clean and noisy. */
  visible: ComputedRef<SavedScan[]>;
  isOlderShown: Ref<boolean>;
  /** Those of the visible scans that the view shows: none of another scenario, older versions on request. */
  drawn: ComputedRef<SavedScan[]>;
  /** Its name begins with its number, and its colour follows from it. */
  add: (scan: Omit<SavedScan, 'id' | 'colour' | 'isVisible'>) => void;
  remove: (id: number) => void;
  clear: () => void;
  /** Nothing for a name without letters. */
  rename: (id: number, name: string) => void;
  setVisible: (id: number, isVisible: boolean) => void;
}

/** `relationOf`: of a scan's scene to the open one (reactive). */
export function createSavedScans(relationOf: (scan: SavedScan) => SceneRelation): SavedScans {
  const saved = shallowReactive<SavedScan[]>([]);
  const visible = computed(() => saved.filter(({ isVisible }) => isVisible));
  const isOlderShown = ref(false);
  let nextId = 1;
  return {
    saved,
    visible,
    isOlderShown,
    drawn: computed(() =>
      visible.value.filter((scan) => {
        const relation = relationOf(scan);
        return relation === 'current' || (relation === 'edited' && isOlderShown.value);
      }),
    ),
    add(scan) {
      const id = nextId++;
      const name = `${id} · ${scan.name}`;
      saved.push(
        shallowReactive({ ...scan, id, name, colour: itemColour(id - 1), isVisible: true }),
      );
    },
    remove(id) {
      const at = saved.findIndex((one) => one.id === id);
      if (at !== -1) saved.splice(at, 1);
    },
    clear: () => void saved.splice(0),
    rename(id, name) {
      const found = saved.find((one) => one.id === id);
      if (found !== undefined && name.trim() !== '') found.name = name.trim();
    },
    setVisible(id, isVisible) {
      const found = saved.find((one) => one.id === id);
      if (found !== undefined) found.isVisible = isVisible;
    },
  };
}
