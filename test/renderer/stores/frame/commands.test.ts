import { beforeEach, describe, expect, it, vi } from 'vitest';
import { effectScope } from 'vue';
import { useCommandList, useCommands } from '#renderer/stores/frame/commands.ts';
import { stubBrowser } from '../browserStubs.ts';
import { fakePage } from '../pageOf.ts';

type Key = { key: string; code: string; ctrlKey?: boolean; target?: unknown; repeat?: boolean };

describe('commands', () => {
  let onKeyDown: (event: unknown) => void;
  let stored: Map<string, string>;
  let isDialogOpen: boolean;
  beforeEach(() => {
    stored = stubBrowser('#/').browser;
    isDialogOpen = false;
    vi.stubGlobal('addEventListener', (_: string, listener: typeof onKeyDown) => {
      onKeyDown = listener;
    });
    vi.stubGlobal('removeEventListener', () => undefined);
    vi.stubGlobal('Element', FakeElement);
    vi.stubGlobal('document', { querySelector: () => (isDialogOpen ? {} : null) });
    fakePage();
  });

  /** True where a command took the key. */
  function press(key: Key): boolean {
    let isTaken = false;
    const none = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, repeat: false };
    const preventDefault = (): void => void (isTaken = true);
    onKeyDown({ ...none, defaultPrevented: false, target: null, preventDefault, ...key });
    return isTaken;
  }

  it('live as long as what registered them, and only while they may', () => {
    const list = useCommandList();
    const scope = effectScope();
    let mayRun = false;
    const run = vi.fn();
    scope.run(() => useCommands([{ id: 'a.b', title: 'B', keys: 'B', when: () => mayRun, run }]));
    expect(list.available()).toEqual([]);
    expect(press({ key: 'b', code: 'KeyB' })).toBe(false);
    mayRun = true;
    expect(press({ key: 'b', code: 'KeyB' })).toBe(true);
    expect(run).toHaveBeenCalledTimes(1);
    scope.stop();
    expect(press({ key: 'b', code: 'KeyB' })).toBe(false);
    expect(list.run('a.b')).toBe(false);
  });

  it('of one id the later one that may run counts', () => {
    const list = useCommandList();
    const scope = effectScope();
    const ran: string[] = [];
    let isSecondShown = true;
    scope.run(() => {
      useCommands([{ id: 'run.play', title: 'Play', keys: 'Space', run: () => ran.push('first') }]);
      useCommands([
        {
          id: 'run.play',
          title: 'Play',
          keys: 'Space',
          when: () => isSecondShown,
          run: () => ran.push('second'),
        },
      ]);
    });
    expect(list.available()).toHaveLength(1);
    press({ key: ' ', code: 'Space' });
    isSecondShown = false;
    press({ key: ' ', code: 'Space' });
    expect(ran).toEqual(['second', 'first']);
  });

  it('leave fields, buttons and dialogs what they need', () => {
    const scope = effectScope();
    const run = vi.fn();
    scope.run(() =>
      useCommands([
        { id: 'a.space', title: 'Space', keys: 'Space', run },
        { id: 'a.f', title: 'F', keys: 'F', run },
        { id: 'a.find', title: 'Find', keys: 'Ctrl+K', run },
      ]),
    );
    const field = new FakeElement('textarea');
    const button = new FakeElement('button');
    expect(press({ key: 'f', code: 'KeyF', target: field })).toBe(false);
    expect(press({ key: 'k', code: 'KeyK', ctrlKey: true, target: field })).toBe(true);
    expect(press({ key: ' ', code: 'Space', target: button })).toBe(false);
    expect(press({ key: 'f', code: 'KeyF', target: button })).toBe(true);
    isDialogOpen = true;
    expect(press({ key: 'k', code: 'KeyK', ctrlKey: true })).toBe(false);
  });

  it('run once while a key is held, unless they say otherwise', () => {
    const scope = effectScope();
    const [once, again] = [vi.fn(), vi.fn()];
    scope.run(() =>
      useCommands([
        { id: 'a.once', title: 'Once', keys: 'O', run: once },
        { id: 'a.again', title: 'Again', keys: 'A', isRepeated: true, run: again },
      ]),
    );
    for (const repeat of [false, true, true]) {
      press({ key: 'o', code: 'KeyO', repeat });
      press({ key: 'a', code: 'KeyA', repeat });
    }
    expect(once).toHaveBeenCalledTimes(1);
    expect(again).toHaveBeenCalledTimes(3);
  });

  it('remember which were used last, and take defaults for stored junk', () => {
    stored.set('understory.commands.recent', '{"a":');
    const list = useCommandList();
    const run = (): void => undefined;
    const scope = effectScope();
    scope.run(() =>
      useCommands(Array.from({ length: 12 }, (_, i) => ({ id: `a.${i}`, title: `${i}`, run }))),
    );
    for (let i = 0; i < 12; i += 1) list.run(`a.${i}`);
    list.run('a.7');
    expect([...list.recent]).toEqual(['a.7', 'a.11', 'a.10', 'a.9', 'a.8', 'a.6', 'a.5', 'a.4']);
    expect(JSON.parse(stored.get('understory.commands.recent') ?? '')).toEqual([...list.recent]);
  });
});

/** An element with its own name in a list of selectors, which is all that matters here. */
class FakeElement {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  closest(selectors: string): FakeElement | null {
    return selectors.split(/,\s*/).includes(this.name) ? this : null;
  }
}
