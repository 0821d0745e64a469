import { readFileSync } from 'node:fs';
import { expectSound } from './support/soundness.ts';
import { expect, test } from './support/workspace.ts';

const VIEWS = '/dashboard/data/views?provider=github&entity=gh-pulls';

test('draws a view, saves the picture as SVG and PNG, and copies it as an image', async ({
  page,
  context,
  openAs,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openAs('demo', VIEWS);
  await page.getByRole('button', { name: /^Merged by author/ }).click();
  await page.getByText('Chart', { exact: true }).click();
  const picture = page.getByRole('group', { name: /^Merged by author: / });
  await picture.press('ArrowDown');
  await page.mouse.move(0, 0);
  await expectSound(page);

  const save = async (format: string) => {
    await page.getByRole('button', { name: 'Save the picture' }).click();
    const downloading = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: format }).click();
    const file = await downloading;
    expect(file.suggestedFilename()).toBe(`Merged by author.${format.toLowerCase()}`);
    return readFileSync(await file.path());
  };
  const svg = (await save('SVG')).toString();
  const bars = await picture.locator('[data-series]').count();
  expect(svg.match(/data-series=/g)).toHaveLength(bars);
  expect(svg).toContain('Merged by author');
  expect(svg).toContain('rgb(51, 85, 221)');
  expect(svg).not.toMatch(/class=|var\(|NaN/);
  const png = await save('PNG');
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  const width = Number(await picture.locator('svg').getAttribute('width'));
  expect(png.readUInt32BE(16)).toBe((width + 32) * 2);

  await page.getByRole('button', { name: 'Save the picture' }).click();
  await page.getByRole('menuitem', { name: 'Copy as image' }).click();
  await expect(page.getByText('The picture was copied')).toBeVisible();
  const types = await page.evaluate(async () =>
    (await navigator.clipboard.read()).flatMap((item) => item.types),
  );
  expect(types).toEqual(['image/png']);
});

test('leads from a mark of a time axis to its rows', async ({ page, openAs }) => {
  await openAs('demo', VIEWS);
  await page.getByRole('button', { name: /^Merged pull requests/ }).click();
  await page.getByText('Chart', { exact: true }).click();
  await page.getByRole('combobox', { name: 'Picture' }).selectOption('bars');
  await page.getByRole('combobox', { name: 'Split by' }).selectOption({ label: 'nothing' });
  const picture = page.getByRole('group', {
    name: /^Merged pull requests: Number of rows by (day|week|month)$/,
  });
  await expect(picture).toBeVisible();
  await picture.press('End');
  const spoken = (await page.locator('figure [aria-live]').innerText()).trim();
  const count = Number(spoken.slice(spoken.lastIndexOf(' ') + 1));
  expect(count).toBeGreaterThan(0);
  await picture.press('Enter');
  await expect(page.getByText(`${count} result${count === 1 ? '' : 's'}`, { exact: true })).toBeVisible();
  await expect(page.getByRole('table')).toBeVisible();
});
