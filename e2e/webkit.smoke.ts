import { rmSync, writeFileSync } from 'node:fs';
import { runSync } from '../packages/server/test-support/syncing.ts';
import { makeTemporaryFolder } from '../packages/server/test-support/temporary-folder.ts';
import { Client } from '../packages/server/test-support/test-server.ts';
import { test as base, expect } from './support/journey.ts';
import { WebKit } from './support/webkit.ts';

const ADA = 'ada.nowak@sandbox.example';
const SCREENS = ['Providers', 'Synchronizations', 'History', 'Query', 'Views'];

const test = base.extend<{ webkit: WebKit }>({
  // Depends on the server, so that the browser is closed before the server stops.
  webkit: async ({ datadeck: _server }, use, info) => {
    const folder = makeTemporaryFolder('datadeck-webkit-');
    const webkit = new WebKit();
    try {
      await webkit.start(folder);
      await webkit.resize(1440, 960);
      await use(webkit);
      if (info.status !== info.expectedStatus)
        writeFileSync(info.outputPath('screen.png'), await webkit.screenshot());
    } finally {
      await webkit.end();
      rmSync(folder, { recursive: true, force: true });
    }
  },
});

/** Goes to each screen by the menu. */
async function visitScreens(webkit: WebKit): Promise<void> {
  for (const screen of SCREENS) {
    await webkit.click('nav a', screen);
    await webkit.find('h1', screen);
  }
  await webkit.click('header button', 'Account menu');
  await webkit.click('[role=menuitem]', 'Profile');
  await webkit.find('h1', 'Account');
}

async function choose(webkit: WebKit, label: string, option: string): Promise<void> {
  await webkit.click('[role=combobox]', label);
  await webkit.click('[role=option]', option);
}

const excessOf = (webkit: WebKit) =>
  webkit.run(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

test('opens each screen as a demo user, in light and dark, also on a phone', async ({ webkit, datadeck }) => {
  await webkit.open(datadeck.url);
  await webkit.find('h1', 'Sign in with');
  await webkit.click('button', 'Demo User');
  await visitScreens(webkit);

  await webkit.click('header button', 'Theme: System');
  await webkit.click('[role=menuitem]', 'Dark');
  await webkit.find('html[data-theme=dark]');
  expect(await webkit.run(() => getComputedStyle(document.body).colorScheme)).toBe('dark');

  await webkit.resize(390, 844);
  for (const screen of SCREENS) {
    await webkit.click('header button', 'Open menu');
    await webkit.click('[role=dialog] nav a', screen);
    await webkit.find('h1', screen);
    expect(await excessOf(webkit), screen).toBeLessThanOrEqual(0);
  }
  expect(await webkit.errors()).toEqual([]);
});

test('signs in by consent, runs a template, refines its rows, and saves the query', async ({
  webkit,
  datadeck,
}) => {
  const ada = await new Client(datadeck).signIn(ADA);
  await ada.connect('github', 'ada-nowak');
  await runSync(ada, 'gh-pulls', { owner: 'ada-nowak', repo: 'dotfiles' });

  await webkit.open(datadeck.url);
  await webkit.click('button', 'Google');
  // Ada is the first one.
  await webkit.click('button.account');
  await webkit.find('h1', 'Providers');
  await webkit.open(`${datadeck.url}/dashboard/data/query`);
  await choose(webkit, 'Provider', 'GitHub');
  await choose(webkit, 'Entity', 'Pull Requests');
  await webkit.click('main button', 'Pull requests by author');
  await webkit.click('button', 'Run');
  await webkit.waitForText(/^\d+ results?$/m);
  await webkit.find('[role=row], [role=treeitem]');

  await webkit.type('$count($)', '[role=textbox]', 'Query expression');
  await webkit.waitForText(/Ran over the \d+ rows? of this page/);
  await webkit.click('button', 'Save');
  await webkit.type('From WebKit', '[role=dialog] input', 'Title');
  await webkit.click('[role=dialog] button', 'Save');
  await webkit.waitForText(/JsonNata query was saved successfully/);
  expect(await webkit.errors()).toEqual([]);
});
