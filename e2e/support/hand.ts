import { expect, type Locator } from '@playwright/test';

/** A hand on a mouse: counts what it presses. Typing goes where the focus is, or costs a click. */
export class Hand {
  clicks = 0;
  /** Fields that were typed into. */
  fields = 0;
  async press(target: Locator): Promise<void> {
    this.clicks++;
    await target.click();
  }
  async type(field: Locator, text: string): Promise<void> {
    await expect(field).toBeVisible();
    // A dialog moves the focus once it is open.
    const hasFocus = await expect(field)
      .toBeFocused({ timeout: 1_000 })
      .then(() => true)
      .catch(() => false);
    if (!hasFocus) await this.press(field);
    this.fields++;
    await field.fill(text);
  }
}

/** Prints the clicks of a job, and fails if there are more than the goal. */
export function reportClicks(job: string, clicks: number, goal: number): void {
  console.log(`${job}: ${clicks} clicks (at most ${goal})`);
  expect(clicks, job).toBeLessThanOrEqual(goal);
}
