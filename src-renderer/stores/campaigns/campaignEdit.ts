// The campaign that is edited: its text and file, the fields that it can vary, its problems and its plan. What was not
// saved survives a reload.
import { defineStore } from 'pinia';
import { computed, ref, watch } from 'vue';
import { toWire } from '#contract/errors.ts';
import { field } from '#contract/documents/unknownData.ts';
import type { SaveRefusal } from '#contract/host/documentMethods.ts';
import { storedInTab } from '#renderer/browser/storedText.ts';
import { useClient } from '#renderer/client/injection.ts';
import { designEdits } from '#renderer/logic/campaigns/axisForm.ts';
import { commandOf } from '#renderer/logic/commandLine.ts';
import {
  campaignFile,
  newCampaignName,
  newCampaignText,
  withFirstAxis,
} from '#renderer/logic/campaigns/newCampaign.ts';
import { sentenceOf } from '#renderer/logic/problems.ts';
import { createEditedText } from '../documents/editedText.ts';
import { useConnection } from '../host/connection.ts';
import { createCampaignPlanning } from './campaignPlanning.ts';
import { useCampaigns } from './campaigns.ts';
import { createVariedDocuments } from './variedDocuments.ts';

const drafts = storedInTab('campaigns.drafts');
/** A document without a file yet: 'new:NAME'. */
const newPrefix = 'new:';

const textOptions = {
  kind: 'campaign',
  drafts,
  valid: (): Promise<void> => Promise.resolve(),
} as const;

export const useCampaignEdit = defineStore('campaignEdit', () => {
  const client = useClient();
  const campaigns = useCampaigns();
  const connection = useConnection();
  const chosen = ref('');
  const error = ref<string | null>(null);
  const refusal = ref<SaveRefusal | null>(null);
  const isSaveOpen = ref(false);
  const fail = (failure: unknown): void => void (error.value = sentenceOf(failure));
  const document = createEditedText(client, { ...textOptions, chosen, failed: fail });
  const { source, text, data, isEdited, offered, edit, setText } = document;
  let dataFolder = '';
  const file = computed(() => source.value?.file ?? '');
  const name = computed(() => textField(data.value, 'name'));
  const isOwn = computed(() => file.value !== '' && source.value?.isSample !== true);
  /** Where it is saved, or would be. */
  const target = computed(() => (isOwn.value ? file.value : campaignFile(name.value, dataFolder)));
  /** As commands name it. */
  const commandName = computed(() =>
    source.value?.isSample === true ? chosen.value : target.value,
  );
  const { fields, error: fieldsError } = createVariedDocuments(
    client,
    () => data.value,
    () => file.value,
  );
  const planning = createCampaignPlanning(client, text, () => target.value, fail);
  const { checked, plan, isPlanning } = planning;
  const problems = computed(() => checked.value?.problems ?? document.problems.value);
  const isGrid = computed(() => (field(field(data.value, 'design'), 'kind') ?? 'grid') === 'grid');

  watch(
    () => [campaigns.chosen, campaigns.list === null] as const,
    () => void openChosen(),
    { immediate: true },
  );
  const contents = { chosen, source, file, target, commandName, name, text, data, fields };
  const states = { isEdited, isGrid, isPlanning, isSaveOpen, error, fieldsError, refusal };
  const changes = { edit, setText, addAxis, setDesign, revert };
  const actions = { startNew, openFile, save, makePlan, ...changes };
  const { takeOffered, dropOffered } = document;
  const drafted = { offered, takeOffered, dropOffered, problems, checked, plan };
  return { ...contents, ...states, ...actions, ...drafted };

  /** A new campaign of a scenario, chosen from now on. */
  async function startNew(scenario: string): Promise<void> {
    const fresh = newCampaignName(
      scenario,
      campaigns.rows.map((row) => row.name),
    );
    await readFolder();
    await openNew(fresh, newCampaignText(fresh, scenario));
    campaigns.choose(fresh);
  }

  async function openFile(asked: string): Promise<void> {
    await readFolder();
    await read(asked);
    if (error.value !== null || name.value === '') return;
    if (isOwn.value) campaigns.addOwnFile(file.value);
    campaigns.choose(name.value);
  }

  /** The document of the chosen campaign, unless it is open already. */
  async function openChosen(): Promise<void> {
    const wanted = campaigns.chosen;
    if (wanted === null || campaigns.list === null || connection.state !== 'open') return;
    if (wanted === name.value && chosen.value !== '') return;
    await readFolder();
    const fresh = `${newPrefix}${wanted}`;
    const known = campaigns.rows.find((row) => row.name === wanted)?.document;
    const isNew = known === undefined && (drafts.read() ?? '').includes(JSON.stringify(fresh));
    if (isNew) await openNew(wanted, '');
    else await read(known ?? campaignFile(wanted, dataFolder));
  }

  async function openNew(fresh: string, freshText: string): Promise<void> {
    begin(`${newPrefix}${fresh}`);
    await document.start(freshText);
  }

  async function read(asked: string): Promise<void> {
    begin(asked);
    await document.read(asked).catch(fail);
  }

  function begin(next: string): void {
    [chosen.value, error.value] = [next, null];
    planning.clear();
  }

  async function readFolder(): Promise<void> {
    if (dataFolder === '') dataFolder = (await client.call('host.info', {})).dataFolder;
  }

  function addAxis(axisName: string, axis: Record<string, unknown>): void {
    const isFirst = field(data.value, 'vary') === undefined;
    // Why as text: an edit would write all axes into one line.
    if (isFirst && chosen.value.startsWith(newPrefix)) {
      void document.flush().then(() => setText(withFirstAxis(text.value, axisName, axis)));
    } else edit({ path: ['vary', axisName], op: 'set', value: axis });
  }

  /** Another design, with every axis made to fit it. */
  function setDesign(design: Record<string, unknown>): void {
    edit({ path: ['design'], op: 'set', value: design });
    for (const change of designEdits(field(data.value, 'vary'), design['kind'] === 'grid')) {
      edit(change);
    }
  }

  async function revert(): Promise<void> {
    document.dropDrafts();
    if (file.value !== '') await read(chosen.value);
  }

  /** True where it was saved; otherwise `refusal` and `error` say why. */
  async function save(to: string, isReplacing: boolean): Promise<boolean> {
    [refusal.value, error.value] = [null, null];
    try {
      const saved = await document.save(to, isReplacing);
      document.dropDrafts();
      campaigns.addOwnFile(saved);
      await read(saved);
      campaigns.choose(name.value);
      campaigns.refresh();
      return true;
    } catch (failure) {
      refusal.value = refusalOf(failure);
      fail(failure);
      return false;
    }
  }

  /** Runs, time and disk of the text as it is. */
  async function makePlan(): Promise<void> {
    await document.flush();
    error.value = null;
    await planning.make(`Plan: ${name.value}`, planCommand(commandName.value));
  }
});

/** Why a save was refused; null: for another reason. */
function refusalOf(failure: unknown): SaveRefusal | null {
  const { reason } = toWire(failure).details ?? {};
  return (reason as SaveRefusal | undefined) ?? null;
}

/** '' where it is no text. */
function textField(data: unknown, key: string): string {
  const value = field(data, key);
  return typeof value === 'string' ? value : '';
}

function planCommand(campaign: string): string {
  return commandOf('campaign.plan', { campaign });
}
