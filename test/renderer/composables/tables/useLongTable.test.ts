// A long table: the rows that are drawn, and the keys that move the focused row.
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { nextTick, ref, type Ref } from 'vue';
import { useLongTable, type LongTable } from '#renderer/composables/tables/useLongTable.ts';
import type { RowWindow } from '#renderer/logic/frame/rowWindow.ts';
import { fakePage } from '#test/renderer/stores/pageOf.ts';
import { mounted } from '../mounted.ts';

const rowPx = 20;
let body: { scrollTop: number; clientHeight: number; scrollTo: (to: { top: number }) => void };
let total: Ref<number>;
let focused: Ref<number>;
let order: Ref<string>;
let seen: RowWindow[];
let observed: object[];
let table: LongTable;
let unmount: () => void;

beforeEach(() => {
  observed = [];
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe = (element: object): void => void observed.push(element);
      disconnect = (): void => void (observed = []);
    },
  );
  [total, focused, order, seen] = [ref(1000), ref(0), ref('name'), []];
  body = {
    scrollTop: 0,
    clientHeight: 220,
    scrollTo: ({ top }) => {
      body.scrollTop = top;
    },
  };
  ({ result: table, unmount } = mounted(fakePage(), () =>
    useLongTable({
      rowPx,
      body: () => body as unknown as HTMLElement,
      // One row high.
      head: () => ({ offsetHeight: rowPx }) as HTMLElement,
      total: () => total.value,
      focused: () => focused.value,
      setFocused: (row) => void (focused.value = row),
      see: (window) => void seen.push(window),
      order: () => order.value,
    }),
  ));
  table.look();
});

/** The row is whole in sight, below the head and above the end. */
const isInSight = (row: number): boolean =>
  row * rowPx >= body.scrollTop && (row + 1) * rowPx <= body.scrollTop + 200;

async function press(key: string): Promise<void> {
  const to = table.rowByKey(key);
  if (to !== undefined) table.move(to);
  await nextTick();
  await nextTick();
}

describe('the rows that are drawn', () => {
  it('are those in sight, and few more', async () => {
    body.scrollTop = 500 * rowPx;
    table.look();
    await nextTick();
    expect(table.rows.value).toEqual(expect.arrayContaining([500, 505, 509]));
    expect(table.rows.value.length).toBeLessThan(40);
    expect(seen.at(-1)).toEqual(table.inSight.value);
  });

  it('end with the table', async () => {
    total.value = 3;
    await nextTick();
    expect(table.rows.value).toEqual([0, 1, 2]);
    expect(seen.at(-1)).toEqual({ first: 0, count: 3 });
  });

  it('are the first ones after another order', async () => {
    body.scrollTop = 400;
    order.value = 'date';
    await nextTick();
    expect(body.scrollTop).toBe(0);
  });
});

describe('the focused row', () => {
  it('is brought into sight wherever it is moved', async () => {
    for (const [key, row] of [
      ['End', 999],
      ['PageUp', 990],
      ['ArrowDown', 991],
      ['Home', 0],
      ['PageDown', 9],
      ['PageDown', 18],
      ['ArrowUp', 17],
    ] as const) {
      await press(key);
      expect([key, focused.value]).toEqual([key, row]);
      expect(isInSight(row)).toBe(true);
    }
  });

  it('stays in the table', async () => {
    await press('ArrowUp');
    expect(focused.value).toBe(0);
    await press('End');
    await press('PageDown');
    expect(focused.value).toBe(999);
    total.value = 0;
    await press('ArrowDown');
    expect(focused.value).toBe(0);
  });
});

it('follows the size of its element for as long as it is there', () => {
  expect(observed).toEqual([body]);
  unmount();
  expect(observed).toEqual([]);
});
