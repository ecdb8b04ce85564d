// Files of points (LAS, LAZ, PLY, PCD) that are shown as clouds: those of the data folder, and those that were opened in
// this browser by their path. One that is dropped is sent to the data folder first.
import { defineStore } from 'pinia';
import { ref, shallowRef, watch } from 'vue';
import { isCancelled } from '#contract/errors.ts';
import type { ListedCloud } from '#contract/host/cloudMethods.ts';
import { storedInTab } from '#renderer/browser/storedText.ts';
import { useClient } from '#renderer/client/injection.ts';
import { sentenceOf } from '#renderer/logic/problems.ts';
import { sendFile } from '#renderer/logic/runs/upload.ts';
import { useConnection } from '../host/connection.ts';
import { useJobs } from '../host/jobs.ts';
import { createOwnFiles } from '../host/ownFiles.ts';

const storedShown = storedInTab('learn.cloud');
const maxOwnFiles = 50;

export const useCloudFiles = defineStore('cloudFiles', () => {
  const client = useClient();
  const jobs = useJobs();
  const clouds = shallowRef<readonly ListedCloud[]>([]);
  const hasLoaded = ref(false);
  const error = ref<string | null>(null);
  const own = createOwnFiles('ownClouds', maxOwnFiles);
  const shown = ref<string | null>(storedShown.read());
  useConnection().whenOpen(() => void refresh());
  watch(shown, (file) => storedShown.write(file));
  return { clouds, hasLoaded, error, shown, openFile, openDropped };

  /** By its path on the host's machine: it is listed and shown from now on. */
  async function openFile(file: string): Promise<void> {
    own.add(file);
    shown.value = file;
    await refresh();
  }

  /** A file of this machine. Sending it is a job. */
  async function openDropped(file: File): Promise<void> {
    const path = window.understory?.pathOfFile(file) ?? '';
    if (path !== '') {
      await openFile(path);
      return;
    }
    const controller = new AbortController();
    const job = jobs.track(`Send ${file.name}`, () => controller.abort(), null);
    error.value = null;
    try {
      const upload = await sendFile(
        file,
        (request, bytes) => client.call('runs.receive', request, { columns: { bytes } }),
        (done) => job.advance({ phase: 'sending', done, total: file.size }),
        controller.signal,
      );
      const kept = await client.call('cloud.keep', { upload });
      job.done();
      await refresh();
      shown.value = kept.file;
    } catch (failure) {
      job.failed(failure);
      if (!isCancelled(failure)) error.value = sentenceOf(failure);
    }
  }

  async function refresh(): Promise<void> {
    try {
      clouds.value = (await client.call('cloud.list', { files: [...own.files.value] })).clouds;
      hasLoaded.value = true;
      error.value = null;
    } catch (failure) {
      error.value = sentenceOf(failure);
    }
  }
});
