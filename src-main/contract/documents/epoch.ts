// The epoch of a recording (`recording.epoch` of a scenario): wall time as people write it, in seconds and nanoseconds.

/** Time since 1970 (UTC, without leap seconds). */
export interface EpochTime {
  sec: number;
  nanosec: number;
}

/** Largest second of an epoch: a ROS time has an int32; a day is left for the run. */
export const lastEpochS = 2 ** 31 - 1 - 86_400;

/** ISO 8601 with seconds and a zone, or a number of seconds, as ROS times can hold. */
export function isEpochText(text: string): boolean {
  const isIso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?(Z|[+-]\d\d:\d\d)$/.test(text);
  if (!isIso && !/^\d+(\.\d+)?$/.test(text)) return false;
  const seconds = isIso ? Date.parse(text) / 1000 : Number(text);
  return seconds >= 0 && seconds <= lastEpochS;
}

/** The instant that the schema has checked: ISO 8601 with a zone, or seconds since 1970. */
export function epochOf(epoch: number | string): EpochTime {
  const digits = typeof epoch === 'string' && /^\d+(\.\d+)?$/.test(epoch) ? Number(epoch) : epoch;
  if (typeof digits === 'string') {
    const ms = Date.parse(digits);
    const sec = Math.floor(ms / 1000);
    return { sec, nanosec: (ms - sec * 1000) * 1e6 };
  }
  const sec = Math.floor(digits);
  // Why microseconds: seconds of these years in double precision are exact to a quarter of one.
  const nanosec = Math.round((digits - sec) * 1e6) * 1000;
  return nanosec < 1e9 ? { sec, nanosec } : { sec: sec + 1, nanosec: 0 };
}
