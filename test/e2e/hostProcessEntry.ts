// Child process: a real host. Takes the data folder and the page's folder; prints the address.
import { openUnderstory } from '#hosts/compose.ts';
import { serve } from '#hosts/web/serve.ts';

const [dataFolder = '', rendererFolder = ''] = process.argv.slice(2);
const { handlers, events, log } = await openUnderstory({ dataFolder });
const { address } = await serve({ handlers, events, log, rendererFolder });
console.log(address);
