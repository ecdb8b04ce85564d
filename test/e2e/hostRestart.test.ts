// A host that is killed and started again on the same port: the open page reaches it again by itself.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '#test/support/folder.ts';
import { describeApp, openHostProcess } from './app.ts';

describeApp('a host that is restarted', (app) => {
  it('ui-08 a page reconnects to a host restarted on its port', async () => {
    const dataFolder = temporaryFolder();
    const host = await openHostProcess(dataFolder, app.pageFolder);
    const page = await app.open('dark', { address: host.address });
    app.allowComplaints();
    await host.kill();
    await page.getByText('The host is not responding. Reconnecting').waitFor();
    const port = Number(new URL(host.address).port);
    const again = await openHostProcess(dataFolder, app.pageFolder, 'unlimited', port);
    expect(again.address).toBe(host.address);
    await page.getByText('Connected', { exact: true }).waitFor();
    await page.getByText('The host is not responding').waitFor({ state: 'detached' });
    expect(statSync(join(dataFolder, 'web-token')).mode & 0o777).toBe(0o600);
  });
});
