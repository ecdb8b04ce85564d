// Which sensor was looked at, as this browser's tab keeps it over a reload.

export interface SensorChoice {
  /** Id of a sample, or a file; '': none yet. */
  chosen: string;
  isPicked: boolean;
  mountedAs: string | null;
  /** Range of the footprint. */
  rangeM: number;
  rateHz: number | null;
  mode: string | null;
}

const usualRangeM = 10;

/** The stored choice; the first one for junk. */
export function storedChoice(text: string | null): SensorChoice {
  let stored: Record<string, unknown> = {};
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    if (typeof value === 'object' && value !== null) stored = value as Record<string, unknown>;
  } catch {
    // Why nothing: junk is the beginning.
  }
  const word = (name: string): string | null => {
    const value = stored[name];
    return typeof value === 'string' && value !== '' ? value : null;
  };
  const positive = (name: string): number | null => {
    const value = stored[name];
    return typeof value === 'number' && value > 0 ? value : null;
  };
  const chosen = word('chosen') ?? '';
  return {
    chosen,
    isPicked: chosen !== '' && stored['isPicked'] === true,
    mountedAs: word('mountedAs'),
    rangeM: positive('rangeM') ?? usualRangeM,
    rateHz: positive('rateHz'),
    mode: word('mode'),
  };
}
