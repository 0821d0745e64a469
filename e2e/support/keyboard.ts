import type { ElementHandle, Locator, Page } from '@playwright/test';

const PRESSES = 90;

/** Whether an element has the focus; undefined when it is no longer on the page. */
function focusOf(element: ElementHandle): Promise<boolean | undefined> {
  return element.evaluate((node) => (node.isConnected ? node === document.activeElement : undefined));
}

/** Presses Tab until the control has the focus, as somebody without a mouse does. */
export async function reach(page: Page, control: Locator): Promise<void> {
  // Looking for the control by its role takes longer than a press.
  let element = await control.elementHandle();
  for (let press = 0; press < PRESSES; press++) {
    const isFocused = element === null ? undefined : await focusOf(element);
    if (isFocused) return;
    if (isFocused === undefined) element = await control.elementHandle();
    else await page.keyboard.press('Tab');
  }
  throw new Error(`the keyboard does not reach ${control}`);
}
