/**
 * `node bench/frames.ts [--check]`: does in Chromium what people do within a page, for the demo user, and prints the longest
 * task of the page's main thread for each action, beside that of an empty page in the same minute. A frame waits
 * for the task before it. `--check` fails if the median of the longest tasks of an action is over 50 ms.
 */
import { parseArgs } from 'node:util';
import type { Page } from '@playwright/test';
import { withDemoBrowser } from '../scripts/demo-browser.ts';
import { percentile } from './percentile.ts';

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
/** Goal of the longest task, ms. Shorter tasks are not reported by browsers, and count as none. */
const GOAL_MS = 50;
const ROUNDS = 5;
/** How long an action is watched after its last event, ms. */
const WATCH_MS = 700;

const PULLS = '/dashboard/data/query?provider=github&entity=gh-pulls&template=pulls-all&step=1&page=1';
const MAILS =
  '/dashboard/data/query?provider=google&entity=gmail-messages&template=messages-all&step=1&page=1';
const VIEWS = '/dashboard/data/views?provider=github&entity=gh-pulls';

interface Action {
  name: string;
  path: string;
  /** What is there before the action. */
  before?: (page: Page) => Promise<void>;
  act: (page: Page) => Promise<void>;
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first();
const wheel = async (page: Page) => {
  await page.mouse.move(600, 600);
  for (let turn = 0; turn < 20; turn++) await page.mouse.wheel(0, 120);
};

const ACTIONS: Action[] = [
  { name: 'nothing, an empty page', path: 'about:blank', act: async () => undefined },
  { name: 'scroll the tree of pull requests', path: PULLS, act: wheel },
  {
    name: 'expand the tree of pull requests',
    path: PULLS,
    act: (page) => button(page, 'Expand all').click(),
  },
  {
    name: 'show pull requests as a table',
    path: PULLS,
    act: (page) => page.getByRole('radio', { name: 'Table' }).first().click(),
  },
  {
    name: 'scroll a table of mails',
    path: MAILS,
    before: (page) => page.getByRole('radio', { name: 'Table' }).first().click(),
    act: wheel,
  },
  {
    name: 'next page of a table of mails',
    path: MAILS,
    before: (page) => page.getByRole('radio', { name: 'Table' }).first().click(),
    act: (page) => button(page, 'Next').click(),
  },
  {
    name: 'type an expression',
    path: PULLS,
    before: (page) => page.getByRole('textbox', { name: 'Query expression' }).click(),
    act: (page) => page.keyboard.type('$[state = "open"].user.login', { delay: 30 }),
  },
  {
    name: 'open the builder',
    path: PULLS,
    act: (page) => button(page, 'Builder').click(),
  },
  {
    name: 'type a search',
    path: '/dashboard/data/search',
    before: (page) => page.getByRole('combobox').first().click(),
    act: (page) => page.keyboard.type('harbor build', { delay: 60 }),
  },
  {
    name: 'open a mail with its conversation',
    path: '/dashboard/data/search?q=in%3Ainbox',
    act: (page) => page.getByRole('list', { name: 'Results' }).getByRole('link').first().click(),
  },
  { name: 'open a view', path: VIEWS, act: (page) => button(page, /^Merged by author/).click() },
  { name: 'draw the graph of views', path: VIEWS, act: (page) => button(page, 'Graph').click() },
  {
    name: 'open the command palette and type',
    path: '/dashboard/home',
    act: async (page) => {
      await page.keyboard.press('Control+k');
      await page.keyboard.type('pull', { delay: 60 });
    },
  },
  {
    name: 'open the details of a sync',
    path: '/dashboard/integrations/synchronizations',
    act: (page) => button(page, 'Details of Messages').click(),
  },
  {
    name: 'choose a provider in History',
    path: '/dashboard/integrations/history',
    act: async (page) => {
      await page.getByRole('combobox', { name: 'Provider' }).click();
      await page.getByRole('option', { name: 'Gmail' }).click();
    },
  },
];

/** Script of the page: records tasks that take longer than 50 ms. */
const WATCH_TASKS = `
  globalThis.longTasks = [];
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longTasks.push(duration);
  }).observe({ type: 'longtask' });`;

/** Returns the longest task of an action, ms; 0 if none is longer than 50 ms. */
async function longestTask(page: Page, url: string, { path, before, act }: Action): Promise<number> {
  await page.goto(path.startsWith('/') ? url + path : path);
  await page.waitForTimeout(2 * WATCH_MS);
  await before?.(page);
  await page.waitForTimeout(WATCH_MS);
  await page.evaluate('longTasks.length = 0');
  await act(page);
  await page.waitForTimeout(WATCH_MS);
  return page.evaluate<number>('Math.max(0, ...longTasks)');
}

await withDemoBrowser(async (browser, { url, token }) => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-US' });
  await context.addInitScript({ content: WATCH_TASKS });
  const page = await context.newPage();
  await page.goto(url);
  await page.evaluate((stored) => localStorage.setItem('dd-authToken', JSON.stringify(stored)), token);
  console.log(
    `longest task of the main thread within an action, ms, of ${ROUNDS} rounds; goal: median at most ${GOAL_MS}`,
  );
  const slow: string[] = [];
  for (const action of ACTIONS) {
    const times: number[] = [];
    // The first round loads the code of what it opens.
    for (let round = 0; round <= ROUNDS; round++) {
      const ms = await longestTask(page, url, action);
      if (round > 0) times.push(ms);
    }
    const median = percentile(times, 0.5);
    if (median > GOAL_MS) slow.push(action.name);
    console.log(
      `${action.name.padEnd(40)} median ${String(Math.round(median)).padStart(4)}  longest ${Math.round(Math.max(...times))}`,
    );
  }
  if (slow.length > 0) console.log(`over the goal: ${slow.join(', ')}`);
  if (values.check && slow.length > 0) process.exitCode = 1;
});
