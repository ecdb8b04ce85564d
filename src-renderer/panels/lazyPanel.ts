// A panel whose script is fetched when it is first needed. Each of several at once is made in a task of its own:
// together they would keep the page from answering.
import { defineAsyncComponent, type Component } from 'vue';
import { nextFrame } from '#renderer/browser/nextFrame.ts';
import PanelMissing from './PanelMissing.vue';

let turn = Promise.resolve();

export function lazyPanel(load: () => Promise<{ default: Component }>): Component {
  return defineAsyncComponent({
    loader: async () => {
      const loaded = await load();
      turn = turn.then(nextFrame);
      await turn;
      return loaded;
    },
    errorComponent: PanelMissing,
    suspensible: false,
  });
}
