// Driving by keys: commands while a key is held, standstill when the last one is released, and no key of something else.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { effectScope, nextTick, ref, type EffectScope } from 'vue';
import { useHandDrive } from '#renderer/composables/drive/useHandDrive.ts';
import type { DriveCommand } from '#contract/host/run.ts';
import { keyEvent, stubBrowser, type BrowserStubs } from '#test/renderer/stores/browserStubs.ts';

let browser: BrowserStubs;
let scope: EffectScope;
let sent: DriveCommand[];
const isActive = ref(true);

beforeEach(() => {
  vi.useFakeTimers();
  browser = stubBrowser('#/drive');
  [sent, isActive.value] = [[], true];
  scope = effectScope(true);
});
afterEach(() => {
  scope.stop();
  vi.useRealTimers();
});

const open = () =>
  scope.run(() =>
    useHandDrive(
      () => isActive.value,
      (command) => void sent.push(command),
    ),
  )!;

/** True where the key drove, so that it does nothing else. */
function press(code: string, more: Partial<KeyboardEvent> = {}): boolean {
  const event = keyEvent('keydown', {
    code,
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    ...more,
  });
  browser.dispatch(event);
  return event.defaultPrevented;
}
const release = (code: string): void => browser.dispatch(keyEvent('keyup', { code }));
const last = (): number[] => [sent.at(-1)?.speedMPerS ?? 0, sent.at(-1)?.yawRateRadPerS ?? 0];

describe('a key that is held', () => {
  it('sends its command at once and ten times a second, then standstill', () => {
    open();
    expect(press('KeyW')).toBe(true);
    expect(sent).toHaveLength(1);
    vi.advanceTimersByTime(500);
    expect(sent).toHaveLength(6);
    expect(last()[0]).toBeGreaterThan(0);
    release('KeyW');
    expect(last()).toEqual([0, 0]);
    const count = sent.length;
    vi.advanceTimersByTime(1000);
    expect(sent).toHaveLength(count);
  });

  it('counts once, however often the keyboard repeats it', () => {
    open();
    for (let repeat = 0; repeat < 5; repeat += 1) press('KeyW');
    expect(sent).toHaveLength(1);
  });

  it('drives with others, and continues when one of them is released', () => {
    open();
    press('KeyW');
    press('KeyA');
    expect([last()[0] !== 0, last()[1] !== 0]).toEqual([true, true]);
    release('KeyW');
    expect([last()[0] !== 0, last()[1] !== 0]).toEqual([false, true]);
    vi.advanceTimersByTime(100);
    expect(last()[1]).not.toBe(0);
  });

  it('stops the vehicle where the window loses the focus', () => {
    const { held } = open();
    press('KeyW');
    press('KeyA');
    browser.dispatch(new Event('blur'));
    expect([last(), held.size]).toEqual([[0, 0], 0]);
  });

  it('stops the vehicle where keys no longer drive, or the view goes', async () => {
    open();
    press('KeyW');
    isActive.value = false;
    await nextTick();
    expect(last()).toEqual([0, 0]);
    isActive.value = true;
    press('KeyW');
    scope.stop();
    expect(last()).toEqual([0, 0]);
    const count = sent.length;
    vi.advanceTimersByTime(1000);
    expect(press('KeyS')).toBe(false);
    expect(sent).toHaveLength(count);
  });
});

it('leaves keys to others: with Ctrl, of no direction, while inactive, or typed into a field', () => {
  open();
  class Field extends (Element as { new (): object }) {
    closest(): object {
      return {};
    }
  }
  expect(press('KeyS', { ctrlKey: true })).toBe(false);
  expect(press('KeyX')).toBe(false);
  expect(press('KeyW', { target: new Field() as unknown as EventTarget })).toBe(false);
  isActive.value = false;
  expect(press('KeyW')).toBe(false);
  expect(sent).toEqual([]);
});

it('buttons drive as keys do', () => {
  const { hold, release: end } = open();
  hold('back');
  expect(last()[0]).toBeLessThan(0);
  end('back');
  end('back');
  expect([last()[0], sent.length]).toEqual([0, 2]);
});
