import type { ElementHandle, Locator, Page } from '@playwright/test';
import { isFirefox } from './browser.ts';

const PRESSES = 90;

/** Whether an element has the focus; undefined when it is no longer on the page. */
function focusOf(element: ElementHandle): Promise<boolean | undefined> {
  return element.evaluate((node) => (node.isConnected ? node === document.activeElement : undefined));
}

/** The key that leads from the focused element to another one without leaving the page. */
function keyTowards(element: ElementHandle): Promise<'Tab' | 'Shift+Tab'> {
  return element.evaluate((node) => {
    const place = document.activeElement?.compareDocumentPosition(node) ?? 0;
    return place & Node.DOCUMENT_POSITION_PRECEDING && !(place & Node.DOCUMENT_POSITION_CONTAINS)
      ? 'Shift+Tab'
      : 'Tab';
  });
}

/**
 * Presses Tab until the control has the focus, as somebody without a mouse does. In Firefox backwards where that is the
 * way: past the last control the focus would go to the toolbar, from where a driven browser does not return.
 */
export async function reach(page: Page, control: Locator): Promise<void> {
  // Looking for the control by its role takes longer than a press.
  let element = await control.elementHandle();
  for (let press = 0; press < PRESSES; press++) {
    const isFocused = element === null ? undefined : await focusOf(element);
    if (isFocused) return;
    if (isFocused === undefined) element = await control.elementHandle();
    else await page.keyboard.press(isFirefox(page) && element ? await keyTowards(element) : 'Tab');
  }
  throw new Error(`the keyboard does not reach ${control}`);
}
