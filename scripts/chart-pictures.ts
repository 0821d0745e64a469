/**
 * `node scripts/chart-pictures.ts [chart[/rows]…]`: starts the product, draws each kind of chart with each set of rows, light and dark,
 * 1440 and 390 px wide, and keeps a picture of each in test-results/charts. Fails when axe finds a violation, something scrolls
 * sideways, or the table behind a chart is not what the server added up from the rows.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import axe from 'axe-core';
import type { ChartData, View } from '../packages/contract/src/index.ts';
import { Client } from '../packages/server/test-support/test-server.ts';
import { formatValue } from '../packages/web/src/ui/charts/chart-labels.ts';
import { CHARTS, ROWS } from './chart-cases.ts';
import { type DemoSite, withDemoBrowser } from './demo-browser.ts';

const FOLDER = 'test-results/charts';
const WIDTHS = [1440, 390] as const;
const SCHEMES = ['light', 'dark'] as const;
const ONLY = process.argv.slice(2);

interface Case {
  name: string;
  viewId: string;
  /** Sum of the numbers of the rows. */
  total: number;
}

const failures: string[] = [];

/** Creates a view for each chart and set of rows that is asked for. */
async function createViews({ url, administrator }: DemoSite): Promise<Case[]> {
  const client = new Client({ url });
  client.token = administrator;
  const cases: Case[] = [];
  for (const [kind, chart] of Object.entries(CHARTS))
    for (const [rows, jsonNataQuery] of Object.entries(ROWS)) {
      const name = `${kind}/${rows}`;
      if (ONLY.length > 0 && !ONLY.includes(kind) && !ONLY.includes(name) && !ONLY.includes(rows)) continue;
      const view = await client.post<View>('/api/data/views', {
        title: name,
        description: 'A chart',
        jsonNataQuery,
        providerId: 'github',
        entityLabel: 'gh-pulls',
        templateKey: 'pulls-all',
        display: { mode: 'chart', columns: [], chart },
      });
      const listed = await client.get<{ n?: number | null }[] | null>(`/api/data/views/download/${view._id}`);
      const total = (listed ?? []).reduce((sum, { n }) => sum + (n ?? 0), 0);
      cases.push({ name, viewId: view._id, total });
    }
  return cases;
}

/** Finds violations of accessibility, and whether something scrolls sideways; run in the page. */
const CHECK = `axe.run(document, { resultTypes: ['violations'], preload: false }).then(({ violations }) => [
  ...violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => id + ' ' + target.join(' '))),
  ...(document.documentElement.scrollWidth > innerWidth ? ['scrolls sideways'] : []),
])`;

async function checkAccess(page: Page, name: string): Promise<void> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source);
  const found = await page.evaluate<string[]>(CHECK);
  failures.push(...found.map((text) => `${name}: ${text}`));
}

/** Compares the table behind a chart with the answer of the server, and its sum with that of the rows. */
async function checkTable(page: Page, { name, total }: Case, data: ChartData): Promise<void> {
  if (data.problem !== null || ['table', 'text'].includes(data.chart.kind)) return;
  const cells = await page.locator('figure table td').allTextContents();
  const expected = data.groups.flatMap((_, group) =>
    data.series.map(({ values }) => formatValue(data, values[group])),
  );
  if (JSON.stringify(cells) !== JSON.stringify(expected))
    failures.push(`${name}: the table has ${cells}, not ${expected}`);
  if (data.chart.measure === 'count') return;
  const sum = data.series.flatMap(({ values }) => values).reduce<number>((all, one) => all + (one ?? 0), 0);
  if (Math.abs(sum - total) > Math.abs(total) * 1e-9) failures.push(`${name}: ${sum} instead of ${total}`);
}

async function take(page: Page, url: string, width: number, one: Case): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' });
  const answered = page.waitForResponse((response) => response.url().includes('/api/data/views/chart/'));
  const isEmpty = one.name.endsWith('/empty');
  await page.goto(`${url}/dashboard/data/views?provider=github&entity=gh-pulls&view=${one.viewId}`);
  if (!isEmpty) {
    const data = (await (await answered).json()) as ChartData;
    if (data.problem === null && !['table', 'text'].includes(data.chart.kind))
      await page.locator('figure table').first().waitFor({ state: 'attached' });
    await checkTable(page, one, data);
    const picture = page.locator('[aria-roledescription=chart]');
    if ((await picture.count()) > 0) {
      await picture.focus();
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowRight');
    }
  } else {
    answered.catch(() => undefined);
    await page.getByText('The view is empty.').waitFor();
  }
  const card = page
    .locator('section', { has: page.getByRole('heading', { name: one.name, exact: true }) })
    .last();
  for (const scheme of SCHEMES) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.locator(`html[data-theme=${scheme}]`).waitFor();
    await page.waitForTimeout(150);
    await card.screenshot({
      path: join(FOLDER, `${one.name.replace('/', '-')}-${scheme}-${width}.png`),
      scale: 'css',
    });
    await checkAccess(page, `${one.name} ${scheme} ${width}`);
  }
}

async function takeAll(browser: Browser, site: DemoSite): Promise<void> {
  const cases = await createViews(site);
  for (const width of WIDTHS) {
    const context = await browser.newContext({
      viewport: { width, height: 1600 },
      locale: 'en-US',
      timezoneId: 'UTC',
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    await page.goto(site.url);
    await page.evaluate(
      (token) => localStorage.setItem('dd-authToken', JSON.stringify(token)),
      site.administrator,
    );
    page.on('pageerror', (error) => failures.push(`${page.url()}: ${error.message}`));
    for (const one of cases)
      await take(page, site.url, width, one).catch((error) => failures.push(`${one.name}: ${error}`));
    await context.close();
  }
  const rows = cases.map(({ name }) => {
    const images = WIDTHS.flatMap((width) =>
      SCHEMES.map((scheme) => `<img src="${name.replace('/', '-')}-${scheme}-${width}.png" alt="">`),
    );
    return `<h2>${name}</h2>${images.join('')}`;
  });
  writeFileSync(join(FOLDER, 'index.html'), `<!doctype html><title>Charts</title>${rows.join('\n')}`);
  console.log(
    `${cases.length * WIDTHS.length * SCHEMES.length} pictures in ${FOLDER}, ${failures.length} failures`,
  );
}

mkdirSync(FOLDER, { recursive: true });
await withDemoBrowser(takeAll);
for (const failure of failures) console.log(failure);
process.exitCode = failures.length > 0 ? 1 : 0;
