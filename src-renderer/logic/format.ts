// Local times as a person reads them, and how long a job still takes.

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

/** Local time to the minute, of one width: '2026-11-20 15:16'. */
export function formatTime(ms: number): string {
  const time = new Date(ms);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  return `${day} ${two(time.getHours())}:${two(time.getMinutes())}`;
}
