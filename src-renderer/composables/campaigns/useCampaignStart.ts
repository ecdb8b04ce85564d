// Starting the chosen campaign from its saved file: whether it can be, why not, and the command that does the same.
import { computed, type ComputedRef } from 'vue';
import { commandOf } from '#renderer/logic/commandLine.ts';
import { useCampaignEdit } from '#renderer/stores/campaigns/campaignEdit.ts';
import { useCampaigns } from '#renderer/stores/campaigns/campaigns.ts';
import { useConnection } from '#renderer/stores/host/connection.ts';

export interface CampaignStart {
  canStart: ComputedRef<boolean>;
  /** The next step before it can be started; '' where it can. */
  hint: ComputedRef<string>;
  command: ComputedRef<string>;
  /** The file says something else than the form. */
  isUnsaved: ComputedRef<boolean>;
  /** Opens the dialog that saves. */
  save: () => void;
  /** Resolves when it has ended. @throws what the host throws */
  start: () => Promise<void>;
}

/** Within a set-up. */
export function useCampaignStart(): CampaignStart {
  const campaigns = useCampaigns();
  const edit = useCampaignEdit();
  const connection = useConnection();
  const name = computed(() => campaigns.chosen ?? '');
  /** The document is that of the chosen campaign; otherwise its file is not known here. */
  const isOpen = computed(() => edit.name === name.value && edit.source !== null);
  const isUnsaved = computed(() => isOpen.value && edit.isEdited);
  const document = computed(() => {
    return isOpen.value ? edit.commandName : (campaigns.known?.document ?? name.value);
  });
  /** Every run of the plan has ended, and no file or plan says that there are others. */
  const isComplete = computed(() => {
    const { counts = null, hasChanged = false } = campaigns.known ?? {};
    const hasNew = isOpen.value && (edit.plan?.new ?? 0) > 0;
    return counts !== null && !hasChanged && !hasNew && counts.pending + counts.running === 0;
  });
  const hint = computed(() => {
    if (isUnsaved.value) return 'Save the campaign to start it.';
    if (isOpen.value && edit.problems.length > 0) return 'The definition has problems.';
    return isComplete.value ? endedText(campaigns.known?.counts?.failed ?? 0) : '';
  });
  const isRunning = computed(() => campaigns.known?.state === 'running');
  const command = computed(() => commandOf('campaign.run', { campaign: document.value }));
  return {
    canStart: computed(
      () =>
        name.value !== '' && hint.value === '' && !isRunning.value && connection.state === 'open',
    ),
    hint,
    command,
    isUnsaved,
    save: () => void (edit.isSaveOpen = true),
    start: () => campaigns.start(name.value, { document: document.value, command: command.value }),
  };
}

function endedText(failed: number): string {
  if (failed === 0) return 'All runs are done.';
  return `All runs have ended, ${failed} failed. Retry failed runs below Progress.`;
}
