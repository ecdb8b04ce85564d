import { openUnderstory } from '#hosts/compose.ts';
import { dispatch } from '#services/handlers.ts';
const file = '/tmp/w/tidy-m/large.understory.yaml';
const understory = await openUnderstory({ dataFolder: '/tmp/w/tidy-m/data2' });
const cpu = () => { const { user, system } = (process as any).threadCpuUsage(); return (user + system) / 1000; };
const call = async (method: any, request: any, onChunk?: any) => {
  const controller = new AbortController();
  const context = { signal: controller.signal, progress: () => undefined, chunk: async (b: any, c: any) => { onChunk?.(b, c, controller); await new Promise((r) => setImmediate(r)); } };
  return (await dispatch(understory.handlers, method, request, context as any)).reply as any;
};
async function measure<T>(name: string, work: () => Promise<T>): Promise<T | undefined> {
  let longest = 0, last = cpu();
  const beat = () => { const now = cpu(); longest = Math.max(longest, now - last); last = now; };
  const start = performance.now();
  const timer = setInterval(beat, 1);
  try { return await work(); } catch (e) { console.log(name, 'FAILED', String((e as Error).message).slice(0, 200)); return undefined; }
  finally { clearInterval(timer); beat(); console.log(name.padEnd(20), `${((performance.now() - start) / 1000).toFixed(1)} s`, `longest ${longest.toFixed(0)} ms`); }
}
await measure('check', () => call('scenario.check', { scenario: file }));
await measure('open', () => call('scene.open', { scenario: file }, (b: any, _c: any, controller: AbortController) => { if (b.kind === 'mesh') controller.abort(); }));
const started = await measure('drive.start', () => call('drive.start', { scenario: file, sensor: 'vlp-16', seconds: 0.3 }));
if (started) {
  const runId = started.runId;
  await measure('drive.watch', () => call('drive.watch', { runId }));
  await measure('show', () => call('runs.show', { runId }));
  await measure('at', () => call('runs.at', { runId, timeS: 0.2 }));
  await measure('poses', () => call('runs.poses', { runId }));
  await measure('scenario', () => call('runs.scenario', { runId }));
}
await understory.dispose();
