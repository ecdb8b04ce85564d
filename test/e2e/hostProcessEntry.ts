// Child process: a real host, as `understory serve` starts it. Takes the data folder, the page's folder and the port;
// prints the address.
import { openUnderstory } from '#hosts/compose.ts';
import { serve } from '#hosts/web/serve.ts';
import { webToken } from '#hosts/web/webToken.ts';

const [dataFolder = '', rendererFolder = '', given = '0'] = process.argv.slice(2);
const { handlers, events, log } = await openUnderstory({ dataFolder });
const token = webToken(dataFolder);
const port = Number(given);
const { address } = await serve({ handlers, events, log, rendererFolder, token, port });
console.log(address);
