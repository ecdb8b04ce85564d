// Where the page has the host's token from: the address, then the tab's own storage.
import { describe, expect, it } from 'vitest';
import { pageToken } from '#renderer/client/pageToken.ts';

/** A tab of a browser, as far as the token goes. */
function tabAt(href: string) {
  const stored = new Map<string, string>();
  const tab = {
    location: { href },
    history: {
      state: null,
      replaceState: (_state: unknown, _title: string, url: URL) => (tab.location.href = url.href),
    },
    sessionStorage: {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => void stored.set(key, value),
    },
  };
  return tab as typeof tab & Parameters<typeof pageToken>[0];
}

describe('the token of the page', () => {
  it('is taken from the address, which loses it and keeps the rest', () => {
    const tab = tabAt('http://127.0.0.1:7000/?token=secret&theme=dark#/runs');
    expect(pageToken(tab)).toBe('secret');
    expect(tab.location.href).toBe('http://127.0.0.1:7000/?theme=dark#/runs');
  });

  it('is found again after a reload, and replaced by that of a new address', () => {
    const tab = tabAt('http://127.0.0.1:7000/?token=secret');
    pageToken(tab);
    expect(pageToken(tab)).toBe('secret');
    tab.location.href = 'http://127.0.0.1:7000/?token=newer';
    expect(pageToken(tab)).toBe('newer');
    expect(pageToken(tab)).toBe('newer');
  });

  it('is missing where the page was opened without it', () => {
    expect(pageToken(tabAt('http://127.0.0.1:7000/'))).toBeNull();
  });
});
