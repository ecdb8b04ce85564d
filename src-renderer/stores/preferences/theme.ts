// Dark, light, or the system's choice, one for the whole page. The choice is stored in this browser; CSS, the
// docks and the viewers follow.
import { effectScope, readonly, ref, watchEffect, type Ref } from 'vue';
import { storedInBrowser } from '#renderer/browser/storedText.ts';
import type { Theme } from '#renderer/logic/viewer/viewSettings.ts';

const themeChoices = ['system', 'light', 'dark'] as const;
export type ThemeChoice = (typeof themeChoices)[number];
export type Contrast = 'normal' | 'high';

export interface ThemeState {
  /** The chosen theme. */
  choice: Readonly<Ref<ThemeChoice>>;
  /** The theme on screen. */
  theme: Readonly<Ref<Theme>>;
  choose: (choice: ThemeChoice) => void;
  /** The next of system, light, dark. */
  cycle: () => void;
  contrast: Readonly<Ref<Contrast>>;
  toggleContrast: () => void;
}

const storedTheme = storedInBrowser('theme');
const storedContrast = storedInBrowser('contrast');
let shared: ThemeState | null = null;

/** Keeps `data-theme` of the document right from the first call on. */
export function useTheme(): ThemeState {
  shared ??= effectScope(true).run(createTheme) ?? null;
  if (shared === null) throw new Error('the scope of the theme has ended');
  return shared;
}

function createTheme(): ThemeState {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const choice = ref<ThemeChoice>(readChoice());
  const systemTheme = ref<Theme>(system.matches ? 'dark' : 'light');
  const theme = ref<Theme>('dark');
  const prefersContrast = matchMedia('(prefers-contrast: more)').matches;
  const contrast = ref<Contrast>(readContrast() ?? (prefersContrast ? 'high' : 'normal'));
  system.addEventListener('change', () => {
    systemTheme.value = system.matches ? 'dark' : 'light';
  });
  // Why at once, not before the next frame: viewers read the colours as soon as the theme has changed.
  watchEffect(
    () => {
      theme.value = choice.value === 'system' ? systemTheme.value : choice.value;
      document.documentElement.dataset['theme'] = theme.value;
      document.documentElement.dataset['contrast'] = contrast.value;
    },
    { flush: 'sync' },
  );
  return {
    choice: readonly(choice),
    theme: readonly(theme),
    contrast: readonly(contrast),
    choose,
    cycle,
    toggleContrast,
  };

  function toggleContrast(): void {
    contrast.value = contrast.value === 'high' ? 'normal' : 'high';
    storedContrast.write(contrast.value);
  }

  function choose(next: ThemeChoice): void {
    choice.value = next;
    storedTheme.write(next);
  }

  function cycle(): void {
    const at = themeChoices.indexOf(choice.value);
    choose(themeChoices[(at + 1) % themeChoices.length] ?? 'system');
  }
}

function readChoice(): ThemeChoice {
  const stored = storedTheme.read();
  return themeChoices.find((choice) => choice === stored) ?? 'system';
}

function readContrast(): Contrast | null {
  const stored = storedContrast.read();
  return stored === 'high' || stored === 'normal' ? stored : null;
}
