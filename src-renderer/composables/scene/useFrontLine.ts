// The lines of tools over a view of a scene: one at a time is open, that of the tool that was chosen last; the others are
// buttons that open theirs.
import { computed, ref, watch, type ComputedRef, type Ref } from 'vue';

export const lineTitles = {
  object: 'Selection',
  brush: 'Brush',
  light: 'Light',
  clip: 'Clip box',
  measure: 'Measure',
} as const;
export type Line = keyof typeof lineTitles;

/** `shown`: the tools that have a line now. */
export function useFrontLine(shown: () => Record<Line, boolean>): {
  front: Ref<Line | null>;
  folded: ComputedRef<Line[]>;
} {
  const all = (): Line[] => {
    const now = shown();
    return (Object.keys(lineTitles) as Line[]).filter((line) => now[line]);
  };
  const front = ref<Line | null>(null);
  watch(
    all,
    (now, before = []) => {
      const added = now.find((line) => !before.includes(line));
      if (added !== undefined) front.value = added;
      else if (front.value === null || !now.includes(front.value)) front.value = now.at(-1) ?? null;
    },
    { immediate: true },
  );
  return { front, folded: computed(() => all().filter((line) => line !== front.value)) };
}
