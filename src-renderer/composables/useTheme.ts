// Dark, light, or the system's choice. The choice is kept in this browser; CSS and the viewer follow.
import { onScopeDispose, readonly, ref, watchEffect, type Ref } from 'vue';

export type ThemeChoice = 'system' | 'light' | 'dark';
export type Theme = 'light' | 'dark';

const storageKey = 'understory.theme';
const order: readonly ThemeChoice[] = ['system', 'light', 'dark'];

/** Sets `data-theme` on the document for as long as the scope lives. */
export function useTheme(): {
  /** What was chosen. */
  choice: Readonly<Ref<ThemeChoice>>;
  /** What is shown. */
  theme: Readonly<Ref<Theme>>;
  /** The next of system, light, dark. */
  cycle: () => void;
} {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const choice = ref<ThemeChoice>(readChoice());
  const systemTheme = ref<Theme>(system.matches ? 'dark' : 'light');
  const theme = ref<Theme>('dark');
  const onSystem = (): void => {
    systemTheme.value = system.matches ? 'dark' : 'light';
  };
  system.addEventListener('change', onSystem);
  onScopeDispose(() => system.removeEventListener('change', onSystem));
  watchEffect(() => {
    theme.value = choice.value === 'system' ? systemTheme.value : choice.value;
    document.documentElement.dataset['theme'] = theme.value;
  });
  return { choice: readonly(choice), theme: readonly(theme), cycle };

  function cycle(): void {
    choice.value = order[(order.indexOf(choice.value) + 1) % order.length] ?? 'system';
    localStorage.setItem(storageKey, choice.value);
  }
}

function readChoice(): ThemeChoice {
  const stored = localStorage.getItem(storageKey);
  return order.find((choice) => choice === stored) ?? 'system';
}
