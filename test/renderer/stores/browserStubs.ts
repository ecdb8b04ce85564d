// The parts of a browser that stores use, without one: storages in memory, an address, events of the window, frames.
import { vi } from 'vitest';
// Declares window.understory.
import type {} from '#renderer/client/shellChannel.ts';

export interface BrowserStubs {
  /** Stored in the tab, and in the browser, by key. */
  tab: Map<string, string>;
  browser: Map<string, string>;
  location: { hash: string };
  /** Dispatches an event of the window. */
  dispatch: (event: Event) => void;
}

type Listening = [type: string, listener: () => void, options?: boolean | AddEventListenerOptions];

/** For one test. `shell`: the window of the desktop app. */
export function stubBrowser(hash: string, shell?: object): BrowserStubs {
  const [tab, browser] = [new Map<string, string>(), new Map<string, string>()];
  const [location, capturing, bubbling] = [{ hash }, new EventTarget(), new EventTarget()];
  const targetOf = (options?: boolean | AddEventListenerOptions): EventTarget =>
    options === true || (typeof options === 'object' && options.capture === true)
      ? capturing
      : bubbling;
  vi.stubGlobal('sessionStorage', storageOf(tab));
  vi.stubGlobal('localStorage', storageOf(browser));
  vi.stubGlobal('location', location);
  vi.stubGlobal('window', { understory: shell });
  vi.stubGlobal('document', {
    querySelector: () => null,
    activeElement: null,
    documentElement: { style: { setProperty: () => undefined } },
  });
  vi.stubGlobal('Element', class {});
  vi.stubGlobal('addEventListener', (...[type, listener, options]: Listening) =>
    targetOf(options).addEventListener(type, listener),
  );
  vi.stubGlobal('removeEventListener', (...[type, listener, options]: Listening) =>
    targetOf(options).removeEventListener(type, listener),
  );
  vi.stubGlobal('requestAnimationFrame', (done: () => void) => setTimeout(done, 0));
  vi.stubGlobal('cancelAnimationFrame', clearTimeout);
  return { tab, browser, location, dispatch };

  /** As for an event of an element: those that capture get it first, and may stop it. */
  function dispatch(event: Event): void {
    const stop = vi.spyOn(event, 'stopImmediatePropagation');
    capturing.dispatchEvent(event);
    if (stop.mock.calls.length === 0) bubbling.dispatchEvent(event);
  }
}

/** An event of a key, as the window gets it. */
export function keyEvent(type: 'keydown' | 'keyup', properties: Partial<KeyboardEvent>): Event {
  const event = new Event(type, { cancelable: true });
  for (const [name, value] of Object.entries(properties))
    Object.defineProperty(event, name, { value });
  return event;
}

/** A promise and what ends it. */
export function held<T>(): {
  promise: Promise<T>;
  resolve: (value: T) => void;
  reject: (failure: Error) => void;
} {
  let resolve = (_: T): void => undefined;
  let reject = (_: Error): void => undefined;
  const promise = new Promise<T>((done, failed) => ([resolve, reject] = [done, failed]));
  return { promise, resolve: (value) => resolve(value), reject: (failure) => reject(failure) };
}

function storageOf(stored: Map<string, string>) {
  return {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  };
}
