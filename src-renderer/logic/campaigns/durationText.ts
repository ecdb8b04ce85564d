// A wall time that may be days: '45 s', '12 min', '3 h 20 min', '2 d 4 h'.

export function durationText(seconds: number): string {
  if (seconds < 1) return seconds <= 0 ? '0 s' : 'below 1 s';
  if (seconds < 59.5) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h ${minutes % 60} min`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}
