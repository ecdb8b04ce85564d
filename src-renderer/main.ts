// Entry of the page: its schemas, then the page itself. Why in parts: as one task all of it takes 70 ms of script, in which
// the browser neither paints nor responds.
import 'dockview-vue/dist/styles/dockview.css';
import './styles/tokens.css';
import './styles/base.css';
import './styles/shared.css';
import './styles/dock.css';

const parts = [
  () => import('#contract/documents/publishedSchemas.ts'),
  () => import('#contract/commands/commands.ts'),
];
for (const load of parts) {
  await load();
  await new Promise((resolve) => setTimeout(resolve));
}
const { startPage } = await import('./startPage.ts');
startPage();
