// Child process of documentHandlers.test.ts: saves a text of many kilobytes, and prints the error as JSON.
import { toWire } from '#contract/errors.ts';
import { createNodeFiles } from '#hosts/node/nodeFiles.ts';

const [file = ''] = process.argv.slice(2);
try {
  await createNodeFiles({ assetsFolder: '/nowhere' }).writeText(
    file,
    'name: x # y\n'.repeat(100_000),
  );
  console.log(JSON.stringify({ code: null }));
} catch (error) {
  console.log(JSON.stringify(toWire(error)));
}
