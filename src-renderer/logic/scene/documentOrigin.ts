// The origin of a scenario's scene as its text states it, whatever else of it is right.
import { field, items } from '#contract/documents/unknownData.ts';
import type { OriginM } from '#contract/worldOrigin.ts';

/** World position in metres; 0 where it is not stated. `data`: the document as plain data. */
export function documentOrigin(data: unknown): OriginM {
  const stated = items(field(field(data, 'scene'), 'origin'));
  const axis = (index: number): number => {
    const value = stated[index];
    return typeof value === 'number' && Number.isFinite(value) ? value : 0;
  };
  return [axis(0), axis(1), axis(2)];
}
