import type { Page, Route } from '@playwright/test';
import { PICTURES, type Picture } from '../scripts/screen-pictures.ts';
import { expectAccessible, expectDarkContrast, expectNoSidewaysScroll } from './support/soundness.ts';
import { expect, type Role, test } from './support/workspace.ts';

/**
 * Opens each screen and dialog of `docs/screens` in each state: with data, empty, loading, failed, without a server, and with long texts
 * and large numbers. Checks axe, contrast in dark and sideways scrolling at each width, and keeps a picture of each.
 */
const WIDTHS = [1440, 1024, 390];
const SCHEMES = ['light', 'dark'] as const;
/** What all screens load; without the account and the product, there would be none. */
const ALL = /\/api\/(?:integrations|data|alerts|notifications|schedules|tokens|admin)/;
/** What single screens load. */
const OWN = /\/api\/(?:integrations\/(?!providers)|data|alerts|notifications|schedules|tokens|admin)/;
/** How long a control for a dialog is looked for where the state may have none, ms. */
const ACT_TIMEOUT = 4_000;
/** Texts that stay the same for this long are complete, ms. */
const SETTLED_MS = 800;

const LONG = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';
const TEXTS = /^(?:title|name|subject|description|snippet|accountName|label)$/;
const NUMBERS = /^(?:count|records|entitiesSynced|added|changed|removed|total|rows|unread)$/;

/** Returns the JSON of an answer with long texts and large numbers. */
function exaggerated(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => exaggerated(one, name));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, exaggerated(one, key)]));
  if (typeof value === 'string' && TEXTS.test(name) && value !== '') return `${value} ${LONG}`;
  if (typeof value === 'number' && NUMBERS.test(name) && value > 0) return 123_456_789;
  return value;
}

async function exaggerate(route: Route): Promise<void> {
  if (route.request().method() !== 'GET') return route.fallback();
  const response = await route.fetch();
  const isJson = response.headers()['content-type']?.includes('application/json') ?? false;
  return isJson
    ? route.fulfill({ response, json: exaggerated(await response.json()) })
    : route.fulfill({ response });
}

interface State {
  role: Role;
  /** Addresses that are answered otherwise than by the server. */
  at?: RegExp;
  answer?: (route: Route) => Promise<void> | undefined;
}

const error = { code: 'internal', message: 'Something went wrong on our side.' };
const fail = (route: Route) => route.fulfill({ status: 500, json: { error } });

const STATES: Readonly<Record<string, State>> = {
  data: { role: 'demo' },
  empty: { role: 'pro' },
  // Never answered.
  loading: { role: 'demo', at: OWN, answer: () => undefined },
  failed: { role: 'demo', at: OWN, answer: fail },
  unreachable: { role: 'demo', at: ALL, answer: fail },
  long: { role: 'demo', at: ALL, answer: exaggerate },
};

/** Does what the picture wants. Only with data there is certainly something to press. */
async function act(page: Page, { act: press }: Picture, state: string): Promise<void> {
  if (!press) return;
  if (state === 'data') return press(page);
  page.setDefaultTimeout(ACT_TIMEOUT);
  await press(page).catch(() => undefined);
  page.setDefaultTimeout(30_000);
}

/** Waits until the texts of the page stay the same. The stream of events never ends, so the network is never idle. */
async function settle(page: Page): Promise<void> {
  await expect(page.locator('h1').first()).toBeVisible();
  let before = '';
  await expect(async () => {
    const text = await page.locator('body').innerText();
    const isSame = text === before;
    before = text;
    expect(isSame).toBe(true);
  }).toPass({ intervals: [SETTLED_MS] });
}

for (const [state, { role, at, answer }] of Object.entries(STATES)) {
  for (const picture of PICTURES) {
    test(`${picture.name}, ${state}`, async ({ page, openAs, workspace, faults }, info) => {
      faults.add('/api/');
      if (at && answer) await page.route(at, async (route) => answer(route));
      // The first page is for those who are not signed in; the pro user is the administrator.
      if (picture.path === '/') await page.goto(workspace.url);
      else await openAs(picture.role ? 'pro' : role, picture.path);
      await settle(page);
      await act(page, picture, state);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        await expectNoSidewaysScroll(page);
        await expectAccessible(page);
        await expectDarkContrast(page);
        for (const colorScheme of SCHEMES) {
          await page.emulateMedia({ colorScheme });
          await page.screenshot({ path: info.outputPath(`${colorScheme}-${width}.png`) });
        }
        await page.emulateMedia({ colorScheme: 'light' });
      }
    });
  }
}
