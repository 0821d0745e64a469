import { choose } from './support/journey.ts';
import { expectSound } from './support/soundness.ts';
import { expect, test } from './support/workspace.ts';

test('adds a schedule on weekdays, refuses one that does not fit, and deletes it', async ({
  page,
  openAs,
  faults,
}) => {
  faults.add('/api/integrations/schedules');
  await openAs('standard', '/dashboard/integrations/synchronizations?details=gh-pulls');
  const schedules = page.getByRole('region', { name: 'Schedules' });
  await schedules.getByRole('button', { name: 'Add schedule' }).press('Enter');
  const form = schedules.getByRole('form', { name: 'New schedule' });
  await expect(form.getByText(/^31 runs a month; your plan allows 50/)).toBeVisible();
  await form.getByRole('radio', { name: 'Weekdays' }).click();
  await form.getByLabel('Time', { exact: true }).fill('08:15');
  await choose(page, 'Time zone', 'Europe/Berlin');
  await expect(
    form.getByText(/^23 runs a month; your plan allows 50 · with ada-nowak \/ dotfiles$/),
  ).toBeVisible();
  await expect(form.getByRole('time')).toHaveCount(3);
  await expectSound(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectSound(page);
  await form.getByRole('button', { name: 'Save schedule' }).click();
  await expect(page.getByText('The schedule was added')).toBeVisible();
  await expect(schedules.getByText('Mondays to Fridays at 08:15, Europe/Berlin')).toBeVisible();
  await expect(schedules.getByRole('button', { name: 'Add schedule' })).toBeFocused();

  await page.keyboard.press('Enter');
  await form.getByRole('radio', { name: 'Cron line' }).click();
  await form.getByLabel('Cron line').fill('0 */8 * * *');
  const refusal = /^This schedule needs 93 runs a month; your plan has 50.* the other schedules need 23/;
  await expect(form.getByText(refusal)).toBeVisible();
  await form.getByRole('button', { name: 'Save schedule' }).click();
  await expect(form.getByText(/its other schedules need 23\. Choose fewer times/)).toBeVisible();
  await form.getByRole('button', { name: 'Cancel' }).click();

  await schedules.getByRole('button', { name: /^Delete: Mondays to Fridays/ }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('The schedule was deleted')).toBeVisible();
  await expect(schedules.getByRole('listitem')).toHaveCount(0);
});
