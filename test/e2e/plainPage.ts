// A page without the listeners of Playwright. Why: Playwright has every message of a page's WebSockets copied
// into its own process as text, which takes longer than a large scene itself.
import type { Browser } from 'playwright-core';

export interface PlainPage {
  send(method: string, parameters?: object): Promise<unknown>;
  /** The value of an expression in the page. */
  evaluate<T>(expression: string): Promise<T>;
  /** Until the expression is true in the page. */
  waitFor(expression: string): Promise<void>;
  /** Clicks an element by the name that tests have for it, once it is there. */
  click(testId: string): Promise<void>;
  /** Types into an input, or chooses in a list. */
  fill(testId: string, value: string): Promise<void>;
  close(): Promise<void>;
}

interface Answer {
  id?: number;
  result?: { result?: { value?: unknown }; exceptionDetails?: { text: string } };
  error?: { message: string };
}

const pollMs = 100;
const viewport = { width: 1440, height: 860, deviceScaleFactor: 1, mobile: false };

/** Opens an address in a context of its own, dark. `script` runs before those of the page. */
export async function openPlainPage(
  browser: Browser,
  address: string,
  script: string,
): Promise<PlainPage> {
  const session = await browser.newBrowserCDPSession();
  const { browserContextId } = await session.send('Target.createBrowserContext');
  const { targetId } = await session.send('Target.createTarget', {
    url: 'about:blank',
    browserContextId,
  });
  const { sessionId } = await session.send('Target.attachToTarget', { targetId });
  const waiting = new Map<number, (answer: Answer) => void>();
  session.on('Target.receivedMessageFromTarget', ({ message }) => {
    const answer = JSON.parse(message) as Answer;
    waiting.get(answer.id ?? -1)?.(answer);
  });
  let calls = 0;
  const send = async (method: string, params: object = {}): Promise<Answer['result']> => {
    const id = ++calls;
    const answered = new Promise<Answer>((resolve) => waiting.set(id, resolve));
    const message = JSON.stringify({ id, method, params });
    await session.send('Target.sendMessageToTarget', { sessionId, message });
    const { result, error } = await answered;
    waiting.delete(id);
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  };
  const evaluate = async <T>(expression: string): Promise<T> => {
    const given = { expression, returnByValue: true, awaitPromise: true };
    const answer = await send('Runtime.evaluate', given);
    if (answer?.exceptionDetails) throw new Error(`${expression}: ${answer.exceptionDetails.text}`);
    return answer?.result?.value as T;
  };
  const waitFor = async (expression: string): Promise<void> => {
    while (!(await evaluate<boolean>(expression))) {
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
  };
  const awaited = async (testId: string): Promise<string> => {
    const element = `document.querySelector('[data-test=${testId}]')`;
    await waitFor(`${element} !== null`);
    return element;
  };
  const click = async (testId: string): Promise<void> => {
    await evaluate(`${await awaited(testId)}.click()`);
  };
  const fill = async (testId: string, value: string): Promise<void> => {
    await evaluate(`{
      const input = ${await awaited(testId)};
      input.value = ${JSON.stringify(value)};
      for (const type of ['input', 'change']) input.dispatchEvent(new Event(type, { bubbles: true }));
    }`);
  };
  const close = async (): Promise<void> => {
    await session.send('Target.disposeBrowserContext', { browserContextId });
    await session.detach();
  };
  await send('Emulation.setDeviceMetricsOverride', viewport);
  await send('Page.addScriptToEvaluateOnNewDocument', {
    source: `localStorage.setItem('understory.started', 'yes'); ${script}`,
  });
  await send('Page.enable');
  await send('Page.navigate', { url: address });
  return { send, evaluate, waitFor, click, fill, close };
}
