import { expect, type Page } from '@playwright/test';

/** What browsers write for a refused request, and for one that leaves the machine of a test. */
const WANTED = /status of (401|403|404|409|422|429|500)|ERR_NAME_NOT_RESOLVED/;
/**
 * What Firefox alone reports: that a provider's page, which forbids every image, has no icon, and that leaving a page aborted
 * the download of a font (NS_BINDING_ABORTED).
 */
const OF_FIREFOX = /settings blocked .*\/favicon\.ico|^download failed \(font-family.* status=2152398850 /;

/** Lets a test use a page, and fails it for any error of script or console. @param faults parts of addresses whose refusal is wanted */
export async function useWithoutErrors(
  page: Page,
  faults: ReadonlySet<string>,
  use: (page: Page) => Promise<void>,
): Promise<void> {
  const errors: string[] = [];
  const isFault = (text: string) => [...faults].some((part) => text.includes(part));
  page.on('pageerror', ({ message }) => {
    // Firefox reports a refused module as an error of the page.
    const isWanted = message.startsWith('Loading module from') && isFault(message);
    if (!isWanted && !OF_FIREFOX.test(message)) errors.push(`page: ${message}`);
  });
  page.on('console', (message) => {
    const { url } = message.location();
    if (message.type() === 'error' && !(isFault(url) && WANTED.test(message.text())))
      errors.push(`console: ${message.text()} (${url})`);
  });
  await use(page);
  await page.goto('about:blank');
  expect(errors, 'errors of page or console').toEqual([]);
}
