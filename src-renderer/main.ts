// Entry of the page: one client for the host that served it, the stores, the app.
import { createPinia } from 'pinia';
import { createApp } from 'vue';
import App from './App.vue';
import { createClient } from './client/client.ts';
import { clientKey } from './client/injection.ts';
import { openWebSocketChannel } from './client/webSocketChannel.ts';
import './styles/tokens.css';
import './styles/base.css';

const client = createClient({
  connect: () => openWebSocketChannel(`ws://${location.host}/rpc`),
});
createApp(App).use(createPinia()).provide(clientKey, client).mount('#app');
