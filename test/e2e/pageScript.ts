// How long a page's own script takes, and what it uploads to the graphics card. Drawing itself is switched off:
// without a graphics card it would be all that is measured. Time is that of the thread, not of the clock, so
// that what else the machine does counts for nothing.
import type { Browser, Page } from 'playwright-core';

export interface ScriptTimes {
  frames: number;
  /** Script for each frame on screen, ms. */
  medianMs: number;
  p95Ms: number;
  maxMs: number;
  /** The longest single task of script, ms. */
  longestTaskMs: number;
}

declare global {
  interface Window {
    uploads: { calls: number; bytes: number; draws: number };
  }
}

/** Before the page is opened: draws nothing from then on, and counts uploads and draws. */
export async function withoutDrawing(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.uploads = { calls: 0, bytes: 0, draws: 0 };
    const gl = WebGL2RenderingContext.prototype;
    const draws = ['drawArrays', 'drawElements', 'drawArraysInstanced', 'drawElementsInstanced'];
    for (const name of draws as 'drawArrays'[]) gl[name] = () => void (window.uploads.draws += 1);
    type Upload = (...values: unknown[]) => void;
    for (const name of ['bufferData', 'bufferSubData', 'texImage2D', 'texSubImage2D'] as const) {
      const upload = Reflect.get(gl, name) as Upload;
      const counted: Upload = function (this: WebGL2RenderingContext, ...values) {
        const data = values.find((value) => ArrayBuffer.isView(value));
        // bufferSubData(target, offset, data, from, count) uploads only a part of the data.
        const part = name === 'bufferSubData' ? (values[4] as number | undefined) : undefined;
        const unit = data instanceof DataView ? 1 : ((data as Uint8Array)?.BYTES_PER_ELEMENT ?? 0);
        window.uploads.calls += 1;
        window.uploads.bytes +=
          part !== undefined && part > 0 ? part * unit : (data?.byteLength ?? 0);
        upload.apply(this, values);
      };
      gl[name] = counted;
    }
  });
}

/** Script of the page while `work` continues. `isWhole`: with the work of promises, which only v8's events show. */
export async function measureScript(
  browser: Browser,
  page: Page,
  work: () => Promise<void>,
  { isWhole = false }: { isWhole?: boolean } = {},
): Promise<ScriptTimes> {
  await browser.startTracing(page, {
    categories: ['devtools.timeline', ...(isWhole ? ['v8'] : []), 'disabled-by-default-v8.gc'],
  });
  await work();
  const trace = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: TraceEvent[];
  };
  return scriptTimes(trace.traceEvents);
}

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  ts: number;
  /** Duration on the thread, microseconds; dur is that of the clock. */
  tdur?: number;
  dur?: number;
}

const scriptEvents = new Set([
  'FunctionCall',
  'RunMicrotasks',
  'EvaluateScript',
  'v8.evaluateModule',
  'v8.callFunction',
]);

function scriptTimes(events: readonly TraceEvent[]): ScriptTimes {
  const frames = events.filter(({ name }) => name === 'FireAnimationFrame');
  const main = commonest(frames.map(({ pid, tid }) => `${pid}:${tid}`));
  const own = events
    .filter(({ ph, pid, tid }) => ph === 'X' && `${pid}:${tid}` === main)
    .filter(({ name }) => scriptEvents.has(name))
    .sort((a, b) => a.ts - b.ts);
  const starts = frames
    .filter(({ pid, tid }) => `${pid}:${tid}` === main)
    .map(({ ts }) => ts)
    .sort((a, b) => a - b)
    // Several callbacks of one frame follow one another at once.
    .filter((ts, index, all) => index === 0 || ts - (all[index - 1] ?? 0) > 4000);
  const perFrameMs = new Array<number>(Math.max(starts.length - 1, 0)).fill(0);
  let endTs = -Infinity;
  let longestMs = 0;
  for (const { ts, dur = 0, tdur = dur } of own) {
    // Script within script has been counted.
    if (ts < endTs) continue;
    endTs = ts + dur;
    longestMs = Math.max(longestMs, tdur / 1000);
    const frame = starts.findLastIndex((start) => start <= ts);
    if (frame >= 0 && frame < perFrameMs.length) {
      perFrameMs[frame] = (perFrameMs[frame] ?? 0) + tdur / 1000;
    }
  }
  const sorted = perFrameMs.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  return {
    frames: sorted.length,
    medianMs: at(0.5),
    p95Ms: at(0.95),
    maxMs: at(1),
    longestTaskMs: longestMs,
  };
}

function commonest(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? '';
}
