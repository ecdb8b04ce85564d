// The logs of the data folder and those that were opened in this browser: which is shown, which are learned from, and
// making one from a run or a file.
import { defineStore } from 'pinia';
import { computed, ref, shallowRef, watch } from 'vue';
import type { ListedLog } from '#contract/host/learnedViewMethods.ts';
import type { Replies, RequestInputOf } from '#contract/host/methods.ts';
import { storedInTab } from '#renderer/browser/storedText.ts';
import { useClient } from '#renderer/client/injection.ts';
import { commandOf } from '#renderer/logic/commandLine.ts';
import { stemOf } from '#domain/shared/fileNames.ts';
import { sentenceOf } from '#renderer/logic/problems.ts';
import { useConnection } from '../host/connection.ts';
import { createOwnFiles } from '../host/ownFiles.ts';
import { useJobs } from '../host/jobs.ts';
import { useCloudFiles } from './cloudFiles.ts';

const storedShown = storedInTab('learn.log');
const maxOwnFiles = 50;

export const useLogFiles = defineStore('logFiles', () => {
  const client = useClient();
  const jobs = useJobs();
  const clouds = useCloudFiles();
  const logs = shallowRef<readonly ListedLog[]>([]);
  const folder = ref('');
  const hasLoaded = ref(false);
  const error = ref<string | null>(null);
  /** Elsewhere than in the data folder. */
  const own = createOwnFiles('ownLogs', maxOwnFiles);
  /** The log that is looked at and judged by. */
  const shown = ref<string | null>(storedShown.read());
  /** Logs to learn from. */
  const training = ref<readonly string[]>([]);
  const isImportOpen = ref(false);
  const shownLog = computed(() => logs.value.find(({ file }) => file === shown.value) ?? null);
  let latest = 0;
  useConnection().whenOpen(() => void refresh());
  watch(shown, (file) => storedShown.write(file));
  // Why: the view shows one of both.
  watch(
    () => clouds.shown,
    (file) => file !== null && (shown.value = null),
  );
  const states = { logs, folder, hasLoaded, error, shown, training, shownLog, isImportOpen };
  return { ...states, show, toggleTraining, openFile, importLog, refresh };

  function show(file: string): void {
    shown.value = file;
    clouds.shown = null;
    if (training.value.length === 0) training.value = [file];
  }

  function toggleTraining(file: string): void {
    training.value = training.value.includes(file)
      ? training.value.filter((one) => one !== file)
      : [...training.value, file];
  }

  /** A log by its path: it is listed from now on. */
  async function openFile(file: string): Promise<void> {
    own.add(file);
    await refresh();
    if (logs.value.some((one) => one.file === file && one.statistics !== null)) show(file);
  }

  /** Resolves when the log is written, and shows it. @throws what the host throws */
  async function importLog(request: RequestInputOf<'log.import'>): Promise<Replies['log.import']> {
    const title = `Import log: ${stemOf(request.out)}`;
    const options = { command: commandOf('log.import', request) };
    const { reply } = await jobs.run(title, 'log.import', request, options);
    if (reply.file.startsWith(`${folder.value}/`)) await refresh();
    else await openFile(reply.file);
    show(reply.file);
    return reply;
  }

  /** The last request counts: an earlier one that ends later is dropped. */
  async function refresh(): Promise<void> {
    latest += 1;
    const mine = latest;
    try {
      const reply = await client.call('log.list', { files: [...own.files.value] });
      if (mine !== latest) return;
      logs.value = reply.logs;
      folder.value = reply.folder;
      error.value = null;
      hasLoaded.value = true;
      const usable = reply.logs
        .filter(({ statistics }) => statistics !== null)
        .map(({ file }) => file);
      if (shown.value !== null && !usable.includes(shown.value)) shown.value = null;
      if (clouds.shown === null) shown.value ??= usable[0] ?? null;
      training.value = training.value.filter((file) => usable.includes(file));
      if (training.value.length === 0 && shown.value !== null) training.value = [shown.value];
    } catch (failure) {
      if (mine === latest) error.value = sentenceOf(failure);
    }
  }
});
