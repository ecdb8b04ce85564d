// The waveforms behind the returns: what the receiver samples of each pulse.
import { maxWaveformBins, type WaveformBins } from '#contract/worker/worker.ts';
import { waveformBins } from '#domain/sensor/waveformBins.ts';
import type { SideFile } from './scanSink.ts';

export const waveformsFile: SideFile = {
  field: 'waveforms',
  contents: 'the waveforms',
  endings: ['npz'],
  problemOf(sensor) {
    const { id, returns } = sensor;
    if (returns.waveform === undefined) {
      return `expected a sensor with returns.waveform, '${id}' has none`;
    }
    const found = waveformBins(sensor);
    if (found <= maxWaveformBins) return null;
    const limit = `at most ${maxWaveformBins} bins between the range limits`;
    return `expected ${limit}, found ${Math.ceil(found)} of sensor '${id}'`;
  },
  open: async ({ ports, plan: { misses, target }, worker }, name) => {
    const file = await ports.exporters.createWaveforms(name, target);
    let bins: WaveformBins = { binsPerPulse: 0, binM: 0 };
    let waveforms = 0;
    return {
      async trace({ pulses, trajectory, options }) {
        const { body } = await worker.call('scan.waveforms', { ...pulses, misses }, trajectory, {
          ...options,
          onChunk: (chunk) => file.write(chunk),
        });
        waveforms += body.rows;
        bins = body;
      },
      async close() {
        await file.close(bins);
        return { files: [name], waveforms };
      },
      abort: () => file.abort(),
    };
  },
};
