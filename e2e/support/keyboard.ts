import type { Locator, Page } from '@playwright/test';

/** Presses Tab until the control has the focus, as somebody without a mouse does. */
export async function reach(page: Page, control: Locator): Promise<void> {
  const isFocused = () => control.evaluate((element) => element === document.activeElement);
  for (let press = 0; press < 90; press++) {
    if (await isFocused()) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`the keyboard does not reach ${control}`);
}
