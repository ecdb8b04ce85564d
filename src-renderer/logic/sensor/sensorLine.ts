// A sensor in one line.
import type { SensorSummary } from '#contract/documents/sensor.ts';
import { hasLasers } from '#contract/documents/scan/scanPattern.ts';
import { shortCountText } from '#domain/shared/formats.ts';

/** '32 lasers · 10 Hz · 1–70 m · 3.3 × 0.7 mrad · 720K pulses/s'. */
export function sensorLine(summary: SensorSummary): string {
  const { scan, channels, rateHz, rangeM, divergenceMrad, pulsesPerSecond } = summary;
  const [wide, high] = divergenceMrad;
  const what = !hasLasers(scan) ? 'rows' : channels === 1 ? 'laser' : 'lasers';
  const spot = wide === high ? `${wide}` : `${wide} × ${high}`;
  return [
    `${channels} ${what}`,
    `${rateHz} Hz`,
    `${rangeM.join('–')} m`,
    wide === 0 && high === 0 ? 'no divergence' : `${spot} mrad`,
    `${shortCountText(pulsesPerSecond)} pulses/s`,
  ].join(' · ');
}
