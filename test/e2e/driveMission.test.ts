// Before a drive: the scene of the chosen scenario with start and goal, and places that are picked in it.
import { expect, it } from 'vitest';
import { describeApp, eventually } from './app.ts';
import { screenshot } from './browser.ts';
import { fillDrive } from './drives.ts';

describeApp('the drive that is about to be started', (app) => {
  it('shows the scene of its scenario, and takes places from it', async () => {
    const page = await app.open('light');
    const view = page.getByTestId('mission-canvas');
    const drawn = async (): Promise<number> =>
      Number(await page.getByTestId('view-note').getAttribute('data-triangles'));
    const [goalX, goalY] = [page.getByTestId('goal-x'), page.getByTestId('goal-y')];
    await eventually(drawn).toBeGreaterThan(50_000);
    await screenshot(page, 'mission-courtyard-light');

    await fillDrive(page, { scenario: 'clearing' });
    await goalX.and(page.getByPlaceholder('7')).waitFor();
    await eventually(() => page.getByRole('status').allInnerTexts()).toContain(
      'No drive selected: start one, or select a run from the list.',
    );
    await screenshot(page, 'mission-clearing-light');

    await page.getByTestId('goal-pick').click();
    await page.getByText('Click the goal.').waitFor();
    await screenshot(page, 'mission-pick-light');
    const box = await view.boundingBox();
    expect(box).not.toBeNull();
    const [x, y] = [(box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) / 2];
    await page.mouse.move(x + 40, y);
    await page.mouse.down();
    await page.mouse.move(x, y, { steps: 4 });
    await page.mouse.up();
    expect(await goalX.inputValue()).toBe('');
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 40, y, { steps: 4 });
    await page.mouse.up();
    // In the middle of start and goal, as they are framed.
    await view.click();
    await eventually(() => goalX.inputValue()).toBe('-1');
    expect(await goalY.inputValue()).toBe('-1');
    await screenshot(page, 'mission-picked-light');
  });
});
