import { expect, type Page } from '@playwright/test';
import axe from 'axe-core';
import { isFirefox } from './browser.ts';

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/** Below this width the layout differs, the colours do not. */
const WIDE = 700;

interface Check {
  /** Tags of axe's rules, or one rule alone. */
  only: { type: 'tag' | 'rule'; values: string[] };
  /** A selector of what is checked; everything without it. */
  within?: string | undefined;
}

/** Returns one line for each violation of axe's rules. axe is injected once per page and returns violations only, which is faster. */
async function violationsOf(page: Page, check: Check): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  return page.evaluate(async ({ only, within }) => {
    const { axe: engine } = window as unknown as { axe: typeof import('axe-core') };
    const { violations } = await engine.run(within ?? document, {
      runOnly: only,
      resultTypes: ['violations'],
      preload: false,
    });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} ${failureSummary}`),
    );
  }, check);
}

/** Nothing but data scrolls sideways. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const excess = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(excess).toBeLessThanOrEqual(0);
}

/** Nothing on the page, or within a selector on it, breaks a rule of WCAG 2.2 A or AA. */
export async function expectAccessible(page: Page, within?: string): Promise<void> {
  const only = { type: 'tag' as const, values: WCAG };
  expect(await violationsOf(page, { only, within }), `axe at ${page.url()}`).toEqual([]);
}

/** The contrast of texts in the dark theme, which is all that differs there. */
export async function expectDarkContrast(page: Page, within?: string): Promise<void> {
  if (isFirefox(page)) return; // It cannot emulate the dark theme, and its contrasts are those of Chromium.
  const html = page.locator('html');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(html).toHaveAttribute('data-theme', 'dark');
  const only = { type: 'rule' as const, values: ['color-contrast'] };
  expect(await violationsOf(page, { only, within }), `axe in dark at ${page.url()}`).toEqual([]);
  await page.emulateMedia({ colorScheme: 'light' });
  await expect(html).toHaveAttribute('data-theme', 'light');
}

/** What is on screen holds, in light and (where the screen is wide) in dark. */
export async function expectSound(page: Page, within?: string): Promise<void> {
  await expectAccessible(page, within);
  await expectNoSidewaysScroll(page);
  if ((page.viewportSize()?.width ?? 0) >= WIDE) await expectDarkContrast(page, within);
}
