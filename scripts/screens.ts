/** `node scripts/screens.ts [name…]`: starts the product on an empty folder and takes the pictures of docs/screens. */
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { withDemoBrowser } from './demo-browser.ts';

const FOLDER = 'docs/screens';
const SIZES = { 1440: { width: 1440, height: 900 }, 390: { width: 390, height: 844 } };
const SCHEMES = ['light', 'dark'] as const;

interface Picture {
  name: string;
  title: string;
  path: string;
  /** What is done before the picture is taken. */
  act?: (page: Page) => Promise<void>;
}

const PULLS = 'provider=github&entity=gh-pulls';
const SEARCH = '/dashboard/data/search?q=harbor';
const RESULTS = `/dashboard/data/query?${PULLS}&template=pulls-all&step=1&page=1`;

const press = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).click();

async function writeExpression(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Query expression' }).click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText('$.{"number": number, "title": title, "author": user.login}');
  await page.getByText(/^Ran over/).waitFor();
}

async function pickView(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Merged by author/ }).click();
  await page.getByText(/^\d+ results?$/).waitFor();
}

/** Names given on the command line; none: all. */
const ONLY = process.argv.slice(2);
const isAskedFor = ({ name }: Picture) => ONLY.length === 0 || ONLY.includes(name);

const PICTURES: Picture[] = [
  { name: 'login', title: 'Login', path: '/' },
  { name: 'home', title: 'Home', path: '/dashboard/home' },
  { name: 'providers', title: 'Providers', path: '/dashboard/integrations/providers' },
  { name: 'synchronizations', title: 'Synchronizations', path: '/dashboard/integrations/synchronizations' },
  {
    name: 'details',
    title: 'Details of a synchronization',
    path: '/dashboard/integrations/synchronizations?details=gmail-messages',
  },
  {
    name: 'example-data',
    title: 'Example Data',
    path: '/dashboard/integrations/synchronizations?details=gmail-messages',
    act: press('Example for Label IDs'),
  },
  {
    name: 'what-changed',
    title: 'What a synchronization changed',
    path: '/dashboard/integrations/synchronizations?details=gmail-messages',
    act: press('What changed'),
  },
  {
    name: 'notifications',
    title: 'Notifications',
    path: '/dashboard/integrations/synchronizations',
    act: press('Notifications'),
  },
  { name: 'history', title: 'History', path: '/dashboard/integrations/history' },
  { name: 'search', title: 'Search', path: SEARCH },
  {
    name: 'search-record',
    title: 'Search, a record',
    path: SEARCH,
    act: (page) => page.getByRole('list', { name: 'Results' }).getByRole('link').first().click(),
  },
  {
    name: 'query-templates',
    title: 'Query, templates',
    path: `/dashboard/data/query?${PULLS}&template=pulls-by-author`,
  },
  { name: 'query-results', title: 'Query, results', path: RESULTS, act: writeExpression },
  {
    name: 'query-table',
    title: 'Query, results as a table',
    path: RESULTS,
    act: (page) =>
      page
        .getByRole('radio', { name: /^(Table|List)$/ })
        .first()
        .click(),
  },
  { name: 'views', title: 'Views', path: `/dashboard/data/views?${PULLS}`, act: pickView },
  {
    name: 'view-graph',
    title: 'Graph of views',
    path: `/dashboard/data/views?${PULLS}`,
    act: press('Graph'),
  },
  { name: 'account', title: 'Account', path: '/dashboard/account' },
  {
    name: 'confirmation',
    title: 'Confirmation',
    path: `/dashboard/data/views?${PULLS}`,
    act: async (page) => {
      await pickView(page);
      await press('Delete')(page);
    },
  },
  {
    name: 'palette',
    title: 'Command palette',
    path: '/dashboard/integrations/providers',
    act: (page) => page.keyboard.press('Control+k'),
  },
  {
    name: 'shortcuts',
    title: 'Keyboard shortcuts',
    path: '/dashboard/integrations/providers',
    act: (page) => page.keyboard.press('?'),
  },
  {
    name: 'upgrade',
    title: 'Upgrade',
    path: '/dashboard/integrations/providers',
    act: async (page) => {
      const menu = page.getByRole('button', { name: 'Open menu' });
      if (await menu.isVisible()) await menu.click();
      await press('Upgrade')(page);
    },
  },
];

async function takeAll(browser: Browser, url: string, token: string): Promise<void> {
  for (const [size, viewport] of Object.entries(SIZES)) {
    const context = await browser.newContext({
      viewport,
      locale: 'en-US',
      timezoneId: 'UTC',
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    await page.goto(url);
    for (const { name, path, act } of PICTURES.filter(isAskedFor)) {
      await page.emulateMedia({ colorScheme: 'light' });
      if (path !== '/') {
        await page.evaluate((stored) => localStorage.setItem('dd-authToken', JSON.stringify(stored)), token);
      }
      await page.goto(url + path);
      // By its tag: a dialog that is open hides the page from assistive technology.
      await page.locator('h1').first().waitFor();
      // The event stream stays open, so the network is never idle.
      await page.waitForTimeout(700);
      await act?.(page);
      await page.waitForTimeout(300);
      for (const scheme of SCHEMES) {
        await page.emulateMedia({ colorScheme: scheme });
        await page.locator(`html[data-theme=${scheme}]`).waitFor();
        await page.waitForTimeout(200);
        await page.screenshot({ path: join(FOLDER, `${name}-${scheme}-${size}.png`), scale: 'css' });
      }
    }
    await context.close();
  }
}

function writeIndex(): void {
  const rows = PICTURES.map(({ name, title }) => {
    const links = Object.keys(SIZES).flatMap((size) =>
      SCHEMES.map((scheme) => `[${scheme} ${size}](${name}-${scheme}-${size}.png)`),
    );
    return `| ${title} | ${links.join(' · ')} |`;
  });
  const text = `# Screens

Taken by \`node scripts/screens.ts\` as a demo user, light and dark, 1440 and 390 px wide.

| Screen | Pictures |
|---|---|
${rows.join('\n')}
`;
  writeFileSync(join(FOLDER, 'README.md'), text);
}

await withDemoBrowser(async (browser, { url, token }) => {
  mkdirSync(FOLDER, { recursive: true });
  await takeAll(browser, url, token);
  writeIndex();
  const sizes = readdirSync(FOLDER).map((file) => statSync(join(FOLDER, file)).size);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  console.log(`${sizes.length - 1} pictures, ${(total / 1024 / 1024).toFixed(1)} MB`);
});
