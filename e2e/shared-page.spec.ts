import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import type { Client } from '../packages/server/test-support/test-server.ts';
import { expectSound } from './support/soundness.ts';
import { expect, test } from './support/workspace.ts';

const HOSTILE = '<img src=x onerror="window.wasHit = true">';
const ACCOUNT_TOKEN = 'token of the account';

interface Share {
  _id: string;
  sharePath: string;
}

/** Creates a view of Ada's. */
async function createView(ada: Client, title: string, expression: string): Promise<string> {
  const { _id } = await ada.post<{ _id: string }>('/api/data/views', {
    title,
    description: 'For visitors.',
    jsonNataQuery: expression,
    basedOn: null,
    providerId: 'github',
    entityLabel: 'gh-pulls',
    templateKey: 'pulls-all',
  });
  return _id;
}

/** Shares a view or a board. */
function share(ada: Client, of: Record<string, unknown>): Promise<Share> {
  const scope = 'viewId' in of ? 'view' : 'board';
  return ada.post('/api/accounts/tokens', {
    name: 'For visitors',
    scope,
    expiresInDays: 7,
    rowBudget: 100_000,
    ...of,
  });
}

/** Creates a board with a text, the hostile rows as a table, and all pull requests as a chart. */
async function createBoard(ada: Client, title: string): Promise<string> {
  const hostile = await createView(
    ada,
    `Rows of ${title}`,
    `[{ "name": ${JSON.stringify(HOSTILE)}, "size": 1 }]`,
  );
  const pulls = await createView(ada, `Pulls of ${title}`, '$');
  const tile = { kind: 'view', width: 6, height: 4 };
  const chart = { kind: 'bars', x: 'state', measure: 'count' };
  const { _id } = await ada.post<{ _id: string }>('/api/data/boards', {
    title,
    tiles: [
      { id: 'a', kind: 'text', width: 12, height: 1, text: `# Welcome\n${HOSTILE}` },
      { ...tile, id: 'b', viewId: hostile, picture: 'table', title: 'Hostile' },
      { ...tile, id: 'c', viewId: pulls, picture: 'chart', title: 'By state', chart },
    ],
  });
  return _id;
}

/** Notes what a page sends and reads of the browser's storage, in a browser that is signed in. */
async function watch(page: Page, { isBlocked = false } = {}) {
  const authorizations = new Set<string | null>();
  const referrers = new Set<string | null>();
  page.on('request', async (request) => {
    if (!new URL(request.url()).pathname.startsWith('/api/')) return;
    const headers = await request.allHeaders();
    authorizations.add(headers.authorization ?? null);
    referrers.add(headers.referer ?? null);
    expect(headers.cookie).toBeUndefined();
  });
  await page.addInitScript(
    ({ token, isRefused }) => {
      if (!location.protocol.startsWith('http')) return;
      const noted = window as unknown as { reads: string[] };
      noted.reads = [];
      if (!isRefused) localStorage.setItem('dd-authToken', JSON.stringify(token));
      for (const name of ['localStorage', 'sessionStorage'] as const) {
        const stored = window[name];
        Object.defineProperty(window, name, {
          get() {
            noted.reads.push(name);
            if (isRefused) throw new DOMException('The storage is blocked.', 'SecurityError');
            return stored;
          },
        });
      }
    },
    { token: ACCOUNT_TOKEN, isRefused: isBlocked },
  );
  return {
    authorizations,
    referrers,
    reads: () => page.evaluate(() => (window as unknown as { reads: string[] }).reads),
  };
}

const tileOf = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

test('opens a shared board without an account, and reads nothing of the one that is signed in', async ({
  page,
  workspace,
}) => {
  const ada = workspace.users.standard;
  const { sharePath } = await share(ada, { boardId: await createBoard(ada, 'Visitors') });
  const watched = await watch(page);
  const response = await page.goto(workspace.url + sharePath);
  await expect(page.getByRole('heading', { level: 1, name: 'Visitors' })).toBeVisible();
  await expect(page).toHaveTitle('Visitors · Datadeck');
  await expect(tileOf(page, 'Hostile').getByRole('cell', { name: HOSTILE })).toBeVisible();
  await expect(tileOf(page, 'By state').getByRole('group')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Welcome' })).toBeVisible();
  await expect(page.getByText(/^This page is shared until/)).toBeVisible();
  await expect(page.locator('main img')).toHaveCount(0);
  await expect(page.locator('a[href*="/dashboard"]')).toHaveCount(0);
  expect(await page.evaluate(() => 'wasHit' in window)).toBe(false);

  const headers = response?.headers() ?? {};
  expect(headers['cache-control']).toBe('no-store');
  expect(headers['referrer-policy']).toBe('no-referrer');
  expect(headers['x-robots-tag']).toContain('noindex');
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
  await expect(page.locator('meta[name="robots"]')).toHaveAttribute('content', 'noindex');

  expect(await watched.reads()).toEqual([]);
  expect(
    [...watched.authorizations].every((value) => value === null || value.startsWith('Bearer dds_')),
  ).toBe(true);
  expect(watched.authorizations.size).toBe(2);
  expect([...watched.referrers]).toEqual([null]);

  await expectSound(page);
  const file = page.waitForEvent('download');
  await tileOf(page, 'By state').getByRole('button', { name: 'Download By state' }).click();
  await page.getByRole('menuitem', { name: 'SVG' }).click();
  expect((await file).suggestedFilename()).toBe('By state.svg');
  const rows = page.waitForEvent('download');
  await tileOf(page, 'Hostile').getByRole('button', { name: 'Download Hostile' }).click();
  await page.getByRole('menuitem', { name: 'NDJSON' }).click();
  expect((await rows).suggestedFilename()).toBe('Hostile.ndjson');

  await page.setViewportSize({ width: 390, height: 844 });
  await expectSound(page);
});

test('opens a shared view with all its rows, in pages and sorted', async ({ page, workspace }) => {
  const ada = workspace.users.standard;
  const viewId = await createView(ada, 'Numbers', '[[1..45].{ "number": $, "name": "n" & $ }]');
  const { sharePath } = await share(ada, { viewId });
  await page.goto(workspace.url + sharePath);
  const rows = tileOf(page, 'Rows');
  await expect(rows.getByText('45 rows')).toBeVisible();
  await rows.getByRole('button', { name: 'Next' }).click();
  await expect(rows.getByRole('cell', { name: 'n21', exact: true })).toBeVisible();
  await rows.getByRole('button', { name: 'Sort by number' }).click();
  await expect(rows.getByRole('cell', { name: 'n1', exact: true })).toBeVisible();
  await rows.getByRole('button', { name: 'Sort by number, descending' }).click();
  await expect(rows.getByRole('cell', { name: 'n45', exact: true })).toBeVisible();
  await expectSound(page);
});

test('asks for the password of a page, five times a minute', async ({ page, faults, workspace }) => {
  faults.add('/api/share/sessions');
  const ada = workspace.users.standard;
  const viewId = await createView(ada, 'Locked', '[{ "name": "behind a password" }]');
  const { sharePath } = await share(ada, { viewId, password: 'correct horse' });
  await page.goto(workspace.url + sharePath);
  await expect(page.getByRole('heading', { name: 'This page has a password' })).toBeVisible();
  await expectSound(page);
  const password = page.getByLabel('Password');
  const opening = page.getByRole('button', { name: 'Open the page' });
  await password.fill('wrong horse');
  await opening.click();
  await expect(page.getByRole('alert')).toHaveText('This is not the password of this page.');
  await password.fill('correct horse');
  await opening.click();
  await expect(page.getByRole('cell', { name: 'behind a password' })).toBeVisible();

  await page.reload();
  await password.fill('wrong horse');
  for (let tries = 3; tries <= 5; tries++) {
    const answered = page.waitForResponse((response) => response.url().endsWith('/api/share/sessions'));
    await opening.click();
    expect((await answered).status()).toBe(403);
    await expect(opening).toBeEnabled();
  }
  await opening.click();
  await expect(page.getByRole('button', { name: /^Try again in \d+ s$/ })).toBeDisabled();
  await expectSound(page);
});

test('says that a page is not shared any more, and that a link is not complete', async ({
  page,
  faults,
  workspace,
}) => {
  faults.add('/api/share');
  const ada = workspace.users.standard;
  const viewId = await createView(ada, 'Ended', '[{ "name": "until it ends" }]');
  const { _id, sharePath } = await share(ada, { viewId });
  await page.goto(workspace.url + sharePath);
  await expect(page.getByRole('cell', { name: 'until it ends' })).toBeVisible();
  await ada.call('DELETE', `/api/accounts/tokens/${_id}`);
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(page.getByRole('heading', { name: 'This page is not shared any more' })).toBeVisible();
  await expect(page.getByText('until it ends')).toHaveCount(0);
  await expectSound(page);

  await page.goto('about:blank');
  await page.goto(workspace.url + sharePath.replace(/#.*/, ''));
  await expect(page.getByRole('heading', { name: 'This link is not complete' })).toBeVisible();
});

test('is shown in a frame of a site that may, without the storage of the browser', async ({
  page,
  workspace,
}) => {
  const ada = workspace.users.standard;
  const site = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://site').searchParams.get('page') ?? '';
    response.setHeader('content-type', 'text/html');
    response.end(`<title>A wiki</title><link rel="icon" href="data:,"><iframe width="900" height="600"></iframe>
      <script>document.querySelector('iframe').src = ${JSON.stringify(workspace.url)} + decodeURIComponent('${encodeURIComponent(path)}')</script>`);
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  try {
    const viewId = await createView(ada, 'Framed', '[{ "name": "in a frame" }]');
    const framed = await share(ada, { viewId, frameAncestors: [origin] });
    await watch(page, { isBlocked: true });
    await page.goto(`${origin}/?page=${encodeURIComponent(framed.sharePath)}`);
    const frame = page.frameLocator('iframe');
    await expect(frame.getByRole('cell', { name: 'in a frame' })).toBeVisible();

    // A page whose errors are not watched, since the browser reports the refusal as one.
    const other = await page.context().newPage();
    const { sharePath } = await share(ada, { viewId });
    const refused = other.waitForResponse((response) => response.url().startsWith(`${workspace.url}/share/`));
    await other.goto(`${origin}/?page=${encodeURIComponent(sharePath)}`);
    expect((await refused).headers()['content-security-policy']).toContain("frame-ancestors 'none'");
    await expect(other.frameLocator('iframe').getByText('in a frame')).toHaveCount(0);
  } finally {
    site.close();
  }
});
