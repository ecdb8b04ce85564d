// A table of any length of which only the visible rows are drawn: scrolling, the focused row, and the keys that move it.
import { computed, nextTick, onBeforeUnmount, onMounted, ref, watch, type ComputedRef } from 'vue';
import { rowWindow, scrollTo, type RowWindow } from '#renderer/logic/frame/rowWindow.ts';

export interface LongTableOptions {
  rowPx: number;
  /** The element that scrolls, and its head, which stays visible. */
  body: () => HTMLElement | null;
  head: () => HTMLElement | null;
  total: () => number;
  focused: () => number;
  setFocused: (row: number) => void;
  /** Called with the visible rows whenever they change. */
  see: (window: RowWindow) => void;
  /** Whenever it changes, the table is scrolled to its begin. */
  order: () => unknown;
}

export interface LongTable {
  inSight: ComputedRef<RowWindow>;
  rows: ComputedRef<number[]>;
  look: () => void;
  move: (to: number) => void;
  /** The row that a key moves to; undefined: it moves to none. */
  rowByKey: (key: string) => number | undefined;
}

/** Within a set-up. */
export function useLongTable(options: LongTableOptions): LongTable {
  const { rowPx, body, head, total, focused } = options;
  const view = ref({ scrollPx: 0, heightPx: 600 });
  const inSight = computed(() => rowWindow(view.value, rowPx, total()));
  const rows = computed(() =>
    Array.from({ length: inSight.value.count }, (_, index) => inSight.value.first + index),
  );
  const observer = new ResizeObserver(look);
  onMounted(() => {
    const element = body();
    if (element !== null) observer.observe(element);
  });
  onBeforeUnmount(() => observer.disconnect());
  watch(inSight, (window) => options.see(window), { immediate: true });
  watch(options.order, () => body()?.scrollTo({ top: 0 }));
  return { inSight, rows, look, move, rowByKey };

  function look(): void {
    const { scrollTop = 0, clientHeight = 600 } = body() ?? {};
    // Why less the head: it stays visible and covers that much.
    const heightPx = Math.max(0, clientHeight - (head()?.offsetHeight ?? 0));
    view.value = { scrollPx: scrollTop, heightPx };
  }

  function move(to: number): void {
    const row = within(to);
    options.setFocused(row);
    const top = scrollTo(row, view.value, rowPx);
    if (top !== null) body()?.scrollTo({ top });
    void nextTick(look);
  }

  function within(row: number): number {
    return Math.max(0, Math.min(row, total() - 1));
  }

  function rowByKey(key: string): number | undefined {
    const page = Math.max(1, Math.floor(view.value.heightPx / rowPx) - 1);
    const row = focused();
    const rows: Record<string, number> = {
      ArrowDown: row + 1,
      ArrowUp: row - 1,
      PageDown: row + page,
      PageUp: row - page,
      Home: 0,
      End: total() - 1,
    };
    const to = rows[key];
    return to === undefined ? undefined : within(to);
  }
}
