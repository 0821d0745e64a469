/** The pictures of docs/screens, and what is done in the browser for each. */
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';

/** Where the pictures are kept. */
export const FOLDER = 'docs/screens';
export const SIZES = { 1440: { width: 1440, height: 900 }, 390: { width: 390, height: 844 } };
export const SCHEMES = ['light', 'dark'] as const;

export interface Picture {
  name: string;
  title: string;
  path: string;
  /** Who sees it; default: a demo user. */
  role?: 'administrator';
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

/** A copy of a shipped document under a key of its own. */
const draft = readFileSync('packages/connectors/src/declarative/shipped/todoist.json', 'utf8').replaceAll(
  /"todoist(?=["-])/g,
  '"my-todoist',
);

/** Saves a draft of a connector, and waits until it is listed. */
async function listDraft(page: Page): Promise<void> {
  await page.evaluate(
    async (body) => {
      const token: unknown = JSON.parse(localStorage.getItem('dd-authToken') ?? '');
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      await fetch('/api/admin/connectors/my-todoist/draft', { method: 'PUT', headers, body });
    },
    JSON.stringify({ document: draft, changedAt: null }),
  );
  await page.reload();
  await page.getByRole('list', { name: 'Connectors' }).waitFor();
}

async function buildQuery(page: Page): Promise<void> {
  // The browser keeps the expression of the picture before; an example would ask before it replaces it.
  await page.getByRole('textbox', { name: 'Query expression' }).click();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await page.getByRole('button', { name: 'Examples' }).click();
  await page.getByRole('menuitem', { name: 'Rows by state' }).click();
  await page.getByRole('button', { name: 'Builder', exact: true }).click();
  await page.getByText(/^Ran over/).waitFor();
}

async function pickView(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Merged by author/ }).click();
  await page.getByText(/^\d+ results?$/).waitFor();
}

/** The pictures, in the order in which they are taken; the file of each is `NAME-SCHEME-SIZE.png`. */
export const PICTURES: Picture[] = [
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
  { name: 'query-builder', title: 'Query, the builder', path: RESULTS, act: buildQuery },
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
  {
    name: 'boards',
    title: 'Boards',
    path: '/dashboard/data/boards',
    act: async (page) => {
      await page.getByRole('link', { name: 'My week' }).click();
      await page.getByRole('figure').nth(2).waitFor();
    },
  },
  { name: 'alerts', title: 'Alerts', path: '/dashboard/data/alerts' },
  { name: 'account', title: 'Account', path: '/dashboard/account' },
  {
    name: 'administration',
    title: 'Administration, accounts',
    path: '/dashboard/admin',
    role: 'administrator',
    act: (page) => page.getByRole('list', { name: 'Accounts' }).waitFor(),
  },
  {
    name: 'administration-health',
    title: 'Administration, health',
    path: '/dashboard/admin?section=health',
    role: 'administrator',
    act: (page) => page.getByRole('list', { name: 'Checks' }).waitFor(),
  },
  {
    name: 'connectors',
    title: 'Connectors',
    path: '/dashboard/integrations/connectors',
    role: 'administrator',
    act: listDraft,
  },
  {
    name: 'connector',
    title: 'Connectors, the builder',
    path: '/dashboard/integrations/connectors',
    role: 'administrator',
    act: async (page) => {
      await listDraft(page);
      await page.getByRole('link', { name: 'Todoist' }).click();
      // The text is there on phones too, behind the form.
      await page.getByRole('heading', { name: 'Service' }).waitFor();
    },
  },
  {
    name: 'confirmation',
    title: 'Confirmation',
    path: `/dashboard/data/views?${PULLS}`,
    act: async (page) => {
      await pickView(page);
      const actions = page.getByRole('button', { name: 'Actions' });
      if (!(await actions.isVisible())) return press('Delete')(page);
      await actions.click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
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

/** Returns the names of the files of a picture. */
export function filesOf({ name }: Picture): string[] {
  return Object.keys(SIZES).flatMap((size) => SCHEMES.map((scheme) => `${name}-${scheme}-${size}.png`));
}
