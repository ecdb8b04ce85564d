// A page at an address, in a browser that is stubbed, with a host that has nothing yet.
import { stubBrowser, type BrowserStubs } from './browserStubs.ts';
import { answerEmptyLists } from './hostAnswers.ts';
import { fakePage, type FakePage } from './pageOf.ts';

interface PageOptions {
  /** Its address. */
  at?: string;
  /** The window of the desktop app. */
  shell?: object | undefined;
  provided?: Parameters<typeof fakePage>[0];
}

export interface OpenPage extends FakePage {
  browser: BrowserStubs;
}

/** For one test; the lists that stores read at the start are empty. */
export function openPage({ at = '#/', shell, provided }: PageOptions = {}): OpenPage {
  const browser = stubBrowser(at, shell);
  const page = fakePage(provided);
  answerEmptyLists(page);
  return { ...page, browser };
}
