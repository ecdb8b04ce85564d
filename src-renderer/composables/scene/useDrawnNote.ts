// A note on points in the view that are not of the scene as it is now, or are left out for that.
import { computed, type ComputedRef } from 'vue';
import { useScans } from '#renderer/stores/sensor/scans.ts';

export function useDrawnNote(): ComputedRef<string> {
  const scans = useScans();
  return computed(() => {
    const others = scans.visible.filter((scan) => scans.relationOf(scan) !== 'current');
    const drawn = others.filter((scan) => scans.drawn.includes(scan)).length;
    const hidden = others.length - drawn;
    const noun = (count: number): string => (count === 1 ? '1 scan' : `${count} scans`);
    if (drawn > 0) return `${noun(drawn)} of an earlier version of this scene drawn`;
    return hidden > 0 ? `${noun(hidden)} of another scene or version hidden` : '';
  });
}
