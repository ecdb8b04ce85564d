// Numbers as a person reads them. A dash means not known (yet).
import { bytesText, shortCountText } from '#domain/shared/formats.ts';

const dash = '–';

type Maybe = number | null | undefined;

/** '12.3 s', from a minute on '2 min 05 s'. */
export function formatSeconds(seconds: Maybe): string {
  if (!isKnown(seconds)) return dash;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, '0')} s`;
}

/** '1.25 ×': simulated seconds for each second of waiting. */
export function formatFactor(factor: Maybe): string {
  if (!isKnown(factor)) return dash;
  return `${factor.toFixed(factor < 10 ? 2 : 0)} ×`;
}

/** '12.3 m', from a kilometre on '1.23 km'. */
export function formatMetres(metres: Maybe, digits = 1): string {
  if (!isKnown(metres)) return dash;
  return metres < 1000 ? `${metres.toFixed(digits)} m` : `${(metres / 1000).toFixed(2)} km`;
}

/** '1.50 m/s'; a speed that rounds to nothing has no sign. */
export function formatSpeed(metresPerSecond: Maybe): string {
  if (!isKnown(metresPerSecond)) return dash;
  return `${metresPerSecond.toFixed(2).replace('-0.00', '0.00')} m/s`;
}

/** '1.23 M', '45.6 k', '789'. */
export function formatCount(count: Maybe): string {
  return isKnown(count) ? shortCountText(count) : dash;
}

/** '12.3 %'. */
export function formatShare(share: Maybe): string {
  return isKnown(share) ? `${(100 * share).toFixed(1)} %` : dash;
}

/** '34.1 MB', decimal as file managers write it. */
export function formatBytes(bytes: Maybe): string {
  return isKnown(bytes) ? bytesText(bytes) : dash;
}

/** 'about 2 min left', in steps that do not flicker; null: 'remaining time unknown'. */
export function formatRemaining(ms: number | null): string {
  if (ms === null) return 'remaining time unknown';
  const seconds = ms / 1000;
  if (seconds < 5) return 'a few seconds left';
  if (seconds < 55) return `about ${5 * Math.ceil(seconds / 5)} s left`;
  const minutes = Math.max(1, Math.round(seconds / 60));
  if (minutes < 60) return `about ${minutes} min left`;
  return `about ${Math.floor(minutes / 60)} h ${minutes % 60} min left`;
}

/** Local time to the second: '15:16:07'. */
export function formatClock(ms: number): string {
  return new Date(ms).toTimeString().slice(0, 8);
}

// Why made once: making one takes longer than all else that a list of runs shows.
const dateFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** Local date and time to the minute. */
export function formatDate(ms: number): string {
  return dateFormat.format(ms);
}

/** Local time to the minute, of one width: '2026-11-20 15:16'. */
export function formatTime(ms: number): string {
  const time = new Date(ms);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  return `${day} ${two(time.getHours())}:${two(time.getMinutes())}`;
}

function isKnown(value: Maybe): value is number {
  return value !== null && value !== undefined && Number.isFinite(value);
}
