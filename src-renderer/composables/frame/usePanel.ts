// State of a panel in the dock: whether it is visible, whether keys are meant for it, and
// what it is about. Provided by frame/PanelHost.vue.
import { inject, provide, type InjectionKey, type Ref } from 'vue';

export interface PanelContext {
  /** In front in its group, and its activity is shown. */
  isShown: Readonly<Ref<boolean>>;
  /** Shown, and of several of its kind the one that was used last. */
  isActive: Readonly<Ref<boolean>>;
  /** The subject, e.g. a run's id; null: there is only one such panel. */
  subject: string | null;
  setTitle: (title: string) => void;
  close: () => void;
}

const panelKey: InjectionKey<PanelContext> = Symbol('panel');

/** Provides the context of a panel to its components. Within a set-up. */
export function providePanel(context: PanelContext): void {
  provide(panelKey, context);
}

/** @throws outside of a panel: a bug. */
export function usePanel(): PanelContext {
  const context = inject(panelKey);
  if (context === undefined) throw new Error('this is no panel');
  return context;
}
