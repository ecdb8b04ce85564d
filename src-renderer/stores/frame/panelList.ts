// The panels that a dock can hold, as main.ts provides them. Why provided: stores have a panel's title and
// where it belongs; the components behind are above them.
import { inject, type InjectionKey } from 'vue';
import type { PlacedPanel } from '#renderer/logic/frame/dockLayout.ts';
import type { Activity } from './place.ts';

/** A panel without its component (panels/registry.ts). */
export interface PanelEntry extends PlacedPanel {
  activity: Activity;
}

/** Under this key main.ts provides every panel of the page. */
export const panelListKey: InjectionKey<readonly PanelEntry[]> = Symbol('panels');

/** Within a store's set-up. @throws where main.ts provided none: a bug. */
export function usePanelList(): readonly PanelEntry[] {
  const panels = inject(panelListKey);
  if (panels === undefined) throw new Error('no panels were provided');
  return panels;
}
