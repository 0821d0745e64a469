import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

// The page has no frames; without this axe opens another page for each report.
const builder = (page: Page) => new AxeBuilder({ page }).setLegacyMode();

async function expectNone(page: Page, axe: AxeBuilder): Promise<void> {
  const { violations } = await axe.analyze();
  const lines = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} ${failureSummary}`),
  );
  expect(lines, `axe at ${page.url()}`).toEqual([]);
}

/** Nothing but data scrolls sideways. */
async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const excess = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(excess).toBeLessThanOrEqual(0);
}

/** Nothing on the page, or within a selector on it, breaks a rule of WCAG 2.2 A or AA. */
export async function expectAccessible(page: Page, within?: string): Promise<void> {
  const axe = builder(page).withTags(WCAG);
  await expectNone(page, within === undefined ? axe : axe.include(within));
}

/** The contrast of texts in the dark theme, which is all that differs there. */
export async function expectDarkContrast(page: Page, within?: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  const axe = builder(page).withRules(['color-contrast']);
  await expectNone(page, within === undefined ? axe : axe.include(within));
  await page.emulateMedia({ colorScheme: 'light' });
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
}

/** Below this width the layout differs, the colours do not. */
const WIDE = 700;

/** What is on screen holds, in light and (where the screen is wide) in dark. */
export async function expectSound(page: Page, within?: string): Promise<void> {
  await expectAccessible(page, within);
  await expectNoSidewaysScroll(page);
  if ((page.viewportSize()?.width ?? 0) >= WIDE) await expectDarkContrast(page, within);
}
