// What axe finds on a page that keeps somebody out.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axeFile = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

interface AxeResult {
  violations: {
    id: string;
    impact: string;
    nodes: { target: string[]; failureSummary: string; html: string }[];
  }[];
}

/** What is serious or critical, one line each. */
export async function seriousProblems(page: Page): Promise<string[]> {
  await page.evaluate(await readFile(axeFile, 'utf8'));
  const { violations } = await page.evaluate(() =>
    (window as unknown as { axe: { run: (of: Document) => Promise<AxeResult> } }).axe.run(document),
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, html, failureSummary }) => {
        const why = failureSummary.split('\n')[1]?.trim() ?? '';
        return `${id}: ${target.join(' ')}: ${why} ${html.slice(0, 120)}`;
      }),
    );
}
