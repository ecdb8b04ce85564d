// Start of the page: one client for its host, the window's own or the one that served it; the stores, the app.
import { createPinia } from 'pinia';
import { createApp } from 'vue';
import type { Channel } from '#contract/wire/rpc.ts';
import App from './App.vue';
import DockEmpty from './frame/EmptyDock.vue';
import DockPanel from './frame/PanelHost.vue';
import DockTab from './frame/DockTab.vue';
import { createClient } from './client/client.ts';
import { clientKey } from './client/injection.ts';
import { pageToken } from './client/pageToken.ts';
import { openShellChannel } from './client/shellChannel.ts';
import { openWebSocketChannel } from './client/webSocketChannel.ts';
import { panels } from './panels/registry.ts';
import { panelListKey } from './stores/frame/panelList.ts';
import { useOpening } from './stores/scene/opening.ts';

/** Makes the page in the document. */
export function startPage(): void {
  const shell = window.understory;
  const token = pageToken(window);
  if (shell !== undefined) mount(() => openShellChannel(shell));
  else if (token === null) document.body.textContent = 'Open the address that the host printed.';
  else mount(() => openWebSocketChannel(`ws://${location.host}/rpc`, token));
}

function mount(connect: () => Promise<Channel>): void {
  const app = createApp(App)
    .use(createPinia())
    .provide(clientKey, createClient({ connect }))
    .provide(panelListKey, panels)
    // Why by name: docks make their parts from what a layout says, and layouts are stored.
    .component('DockPanel', DockPanel)
    .component('DockTab', DockTab)
    .component('DockEmpty', DockEmpty);
  // Why not at once: reading the script and making the page are two tasks, and between them the browser may paint.
  // A file of the desktop app may be opened before the page is made.
  app.runWithContext(useOpening);
  setTimeout(() => app.mount('#app'));
}
