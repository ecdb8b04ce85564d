// The drive that is about to be started, for the form and the view in which places are picked. It is
// stored for as long as the browser's tab is: a page that is loaded again has it as it was.
import { originOf, placeToScene, placeToWorld, type OriginM } from '#contract/worldOrigin.ts';
import { defineStore } from 'pinia';
import { computed, reactive, ref, shallowRef, watch } from 'vue';
import type { RunDetails } from '#contract/host/runMethods.ts';
import { useClient } from '#renderer/client/injection.ts';
import { clearAir, sceneAir, type SceneAir } from '#renderer/logic/scene/sceneAir.ts';
import { storedForm, type PlaceField } from '#renderer/logic/drive/driveForm.ts';
import { jsonOf } from '#renderer/logic/storedTexts.ts';
import { useChoices } from '../host/choices.ts';
import { useConnection } from '../host/connection.ts';
import { storedInTab } from '#renderer/browser/storedText.ts';

const stored = storedInTab('drive.form');

export type PickedPlace = 'startM' | 'goalM';
type Mission = NonNullable<RunDetails['mission']>;

export const useDriveForm = defineStore('driveForm', () => {
  const client = useClient();
  const choices = useChoices();
  const form = reactive(storedForm(jsonOf(stored.read())));
  /** The scenario's own, in world coordinates; null: it has none, or is not known yet. */
  const ownMission = shallowRef<Mission | null>(null);
  /** Which place the next click in the view is. */
  const picking = ref<PickedPlace | null>(null);
  /** World position that the view is relative to. */
  const originM = shallowRef<OriginM>([0, 0, 0]);
  /** Weather and wind of the scenario's scene. */
  const air = shallowRef<SceneAir>(clearAir);
  /** The scenario's mission with the places of the form, relative to the origin of its scene. */
  const mission = computed<Mission | null>(() => {
    const own = ownMission.value;
    if (own === null) return null;
    return {
      startM: placeToScene(originM.value, placeOr(form.startM, own.startM)),
      goalM: placeToScene(originM.value, placeOr(form.goalM, own.goalM)),
      goalToleranceM: own.goalToleranceM,
    };
  });

  watch(
    () => choices.scenarios,
    (list) => {
      // Why: before the list has come it is not known which of them exist.
      if (list.length === 0 || list.some(({ id }) => id === form.scenario)) return;
      form.scenario = (list.find(({ id }) => id === 'courtyard') ?? list[0])?.id ?? '';
    },
    { immediate: true },
  );
  watch(
    () => form.scenario,
    (scenario, before) => {
      // Why not the first time: what was stored belongs to this scenario.
      if (before !== undefined) {
        form.startM = ['', ''];
        form.goalM = ['', ''];
      }
      void readMission(scenario);
    },
    { immediate: true },
  );
  watch(form, () => stored.write(JSON.stringify(form)));
  // Why: a form that was stored is there before the connection is.
  useConnection().whenOpen(() => {
    if (ownMission.value === null) void readMission(form.scenario);
  });
  return { form, ownMission, mission, air, picking, pick };

  /** `placeM`: in the view, relative to the origin. */
  function pick(placeM: readonly [number, number]): void {
    if (picking.value === null) return;
    const [xM, yM] = placeToWorld(originM.value, placeM);
    const round = (metres: number): number => Math.round(10 * metres) / 10;
    form[picking.value] = [round(xM), round(yM)];
    picking.value = null;
  }

  async function readMission(scenario: string): Promise<void> {
    ownMission.value = null;
    if (scenario === '') return;
    try {
      const { text, file } = await client.call('document.read', {
        kind: 'scenario',
        document: scenario,
      });
      const { value } = await client.call('document.edit', { kind: 'scenario', text, file });
      if (form.scenario !== scenario || value === null || !('mission' in value)) return;
      originM.value = originOf(value.scene);
      air.value = sceneAir(value.scene);
      const { startM, goalM, goalToleranceM } = value.mission ?? {};
      if (startM && goalM && goalToleranceM) ownMission.value = { startM, goalM, goalToleranceM };
    } catch {
      // Why nothing: the form works without; problems of the scenario are shown when it is started.
    }
  }
});

function placeOr([x, y]: PlaceField, own: [number, number]): [number, number] {
  return [x === '' ? own[0] : x, y === '' ? own[1] : y];
}
