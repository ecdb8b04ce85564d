// Whether another tab or window edits the same file. Each tells the others what it edits, and answers who comes later.
import { computed, onScopeDispose, reactive, watch, type Ref } from 'vue';

interface Word {
  tab: number;
  /** Null: it edits none any more. */
  file: string | null;
  isAnswer: boolean;
}

/** `file`: what is edited here; null: nothing that others could change. Within a scope. */
export function createOtherTabs(file: Readonly<Ref<string | null>>): Readonly<Ref<boolean>> {
  const tab = Math.random();
  const files = reactive(new Map<number, string>());
  const channel = new BroadcastChannel('understory.edited');
  const tell = (now: string | null, isAnswer: boolean): void =>
    channel.postMessage({ tab, file: now, isAnswer } satisfies Word);
  channel.onmessage = ({ data }: MessageEvent<Word>) => {
    if (data.file === null) files.delete(data.tab);
    else files.set(data.tab, data.file);
    if (!data.isAnswer) tell(file.value, true);
  };
  const leave = (): void => tell(null, true);
  addEventListener('pagehide', leave);
  watch(file, (now) => tell(now, false), { immediate: true, flush: 'sync' });
  onScopeDispose(() => {
    removeEventListener('pagehide', leave);
    leave();
    channel.close();
  });
  return computed(() => file.value !== null && [...files.values()].includes(file.value));
}
