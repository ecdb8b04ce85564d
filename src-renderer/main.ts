// Entry of the page: one client for its host, the window's own or the one that served it; the stores, the app.
import { createPinia } from 'pinia';
import { createApp } from 'vue';
import App from './App.vue';
import { createClient } from './client/client.ts';
import { clientKey } from './client/injection.ts';
import { openShellChannel } from './client/shellChannel.ts';
import { openWebSocketChannel } from './client/webSocketChannel.ts';
import './styles/tokens.css';
import './styles/base.css';

const shell = window.understory;
const client = createClient({
  connect: () =>
    shell === undefined
      ? openWebSocketChannel(`ws://${location.host}/rpc`)
      : openShellChannel(shell),
});
createApp(App).use(createPinia()).provide(clientKey, client).mount('#app');
