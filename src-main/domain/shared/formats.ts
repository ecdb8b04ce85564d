// Numbers as text, for the page, the command line, pictures and reports: English digits, SI units with a
// space, a true minus sign.

/** Where a number is not known (yet). */
export const unknownText = '–';

type Maybe = number | null | undefined;

/** '1,234,567'. */
export function countText(count: number): string {
  return withMinus(Math.round(count).toLocaleString('en'));
}

/** '1,234.50'. */
export function fixedText(value: number, decimals: number): string {
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return withMinus(value.toLocaleString('en', digits));
}

/** '1 run', '1,234 runs'. */
export function countOf(count: number, unit: string): string {
  return `${countText(count)} ${unit}${count === 1 ? '' : 's'}`;
}

const countPrefixes = ['', ' k', ' M', ' G', ' T'];

/** '789', '45.6 k', '1.23 M': three significant digits. */
export function shortCountText(count: Maybe): string {
  if (!isKnown(count)) return unknownText;
  const { value, step } = scaled(Math.round(count), countPrefixes.length);
  const text = step === 0 ? String(value) : value.toPrecision(3);
  return withMinus(`${text}${countPrefixes[step]}`);
}

const byteUnits = ['B', 'kB', 'MB', 'GB', 'TB'];

/** '34.1 MB'; decimal, as disks are sold; from a gigabyte on with two digits. */
export function bytesText(bytes: Maybe): string {
  if (!isKnown(bytes)) return unknownText;
  const { value, step } = scaled(bytes, byteUnits.length);
  return `${step === 0 ? value : value.toFixed(step >= 3 ? 2 : 1)} ${byteUnits[step]}`;
}

/**
 * Four significant digits; whole below ten million where that takes more; very large and very small numbers
 * as '1.2e−5'.
 */
export function numberText(value: number): string {
  if (!Number.isFinite(value)) return withMinus(String(value));
  const size = Math.abs(value);
  if (size >= 1e7 || (size > 0 && size < 1e-4)) {
    return withMinus(value.toExponential(2).replace(/\.?0*e\+?/, 'e'));
  }
  if (size >= 1000) return withMinus(String(Math.round(value)));
  return withMinus(String(Number(value.toPrecision(4))));
}

/** '0.25 m'; a pure number ('1' or '') alone. */
export function withUnit(value: number, unit: string): string {
  return unit === '1' || unit === '' ? numberText(value) : `${numberText(value)} ${unit}`;
}

/** '12.3 s', from a minute on '2 min 05 s'. */
export function secondsText(seconds: Maybe): string {
  if (!isKnown(seconds)) return unknownText;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, '0')} s`;
}

/** A wall time that may be days: '45 s', '12 min', '3 h 20 min', '2 d 4 h'. */
export function durationText(seconds: number): string {
  if (seconds < 1) return seconds <= 0 ? '0 s' : 'below 1 s';
  if (seconds < 59.5) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h ${minutes % 60} min`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** '12.000000345': exact, as text formats of poses have it. */
export function exactSecondsText(timeNs: bigint): string {
  const sign = timeNs < 0n ? '-' : '';
  const size = timeNs < 0n ? -timeNs : timeNs;
  return `${sign}${size / 1_000_000_000n}.${String(size % 1_000_000_000n).padStart(9, '0')}`;
}

/** '1.25 ×': simulated seconds for each second of waiting. */
export function factorText(factor: Maybe): string {
  return isKnown(factor) ? `${factor.toFixed(factor < 10 ? 2 : 0)} ×` : unknownText;
}

/** '12.3 m', from a kilometre on '1.23 km'. */
export function metresText(metres: Maybe, digits = 1): string {
  if (!isKnown(metres)) return unknownText;
  return metres < 1000 ? `${metres.toFixed(digits)} m` : `${(metres / 1000).toFixed(2)} km`;
}

/** '1.50 m/s'; a speed that rounds to nothing has no sign. */
export function speedText(metresPerSecond: Maybe): string {
  if (!isKnown(metresPerSecond)) return unknownText;
  return `${metresPerSecond.toFixed(2).replace('-0.00', '0.00')} m/s`;
}

/** '12.3 %'. */
export function shareText(share: Maybe, decimals = 1): string {
  return isKnown(share) ? `${(100 * share).toFixed(decimals)} %` : unknownText;
}

/** U+2212 for each hyphen: as wide as a plus sign. */
export function withMinus(text: string): string {
  return text.replaceAll('-', '−');
}

/** Divided by 1000 until three digits before the point are left, or the units end. */
function scaled(value: number, steps: number): { value: number; step: number } {
  let step = 0;
  // Why 999.5: with three digits it would be shown as 1000.
  while (Math.abs(value) >= (step === 0 ? 1000 : 999.5) && step < steps - 1) {
    value /= 1000;
    step += 1;
  }
  return { value, step };
}

function isKnown(value: Maybe): value is number {
  return value !== null && value !== undefined && Number.isFinite(value);
}
