// Faults of accessibility that axe finds on a page.
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';

const axeFile = new URL('../../node_modules/axe-core/axe.min.js', import.meta.url);

interface Axe {
  run: (context: unknown) => Promise<{
    violations: {
      id: string;
      impact: string;
      nodes: { target: string[]; failureSummary: string; html: string }[];
    }[];
  }>;
}

/** Everything wrong in panels, named as in the registry; one line each. */
export async function faultsOf(page: Page, panels: readonly string[]): Promise<string[]> {
  return (await faults(page, panels)).map(({ line }) => line);
}

/** Serious and critical findings on the whole page, one line each. */
export async function seriousFaults(page: Page): Promise<string[]> {
  const found = await faults(page, []);
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ line }) => line);
}

async function faults(
  page: Page,
  panels: readonly string[],
): Promise<{ impact: string; line: string }[]> {
  if (!(await page.evaluate(() => 'axe' in window))) {
    await page.evaluate(await readFile(axeFile, 'utf8'));
  }
  const { violations } = await page.evaluate(
    (include) =>
      (window as unknown as { axe: Axe }).axe.run(include.length === 0 ? document : { include }),
    panels.map((id) => [`[data-panel=${id}]`]),
  );
  return violations.flatMap(({ id, impact, nodes }) =>
    nodes.map(({ target, html, failureSummary }) => {
      const why = failureSummary.split('\n')[1]?.trim() ?? '';
      return { impact, line: `${id}: ${target.join(' ')}: ${why} ${html.slice(0, 120)}` };
    }),
  );
}
