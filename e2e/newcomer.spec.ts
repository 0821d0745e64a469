import { connectBoth, expect, openPage, runTemplate, signIn, syncEntity, test } from './support/journey.ts';

/** Exactly what a newcomer does, and all of it is still there after a reload and after a restart. */
test.use({ contextOptions: { reducedMotion: 'no-preference' } });

// @covers 1.mail-code-hosting 1.labels-messages-pull 4.connecting-full-page 7.sign-connect-full
test('signs in, connects, synchronises, queries and refines; survives a restart', async ({
  page,
  datadeck,
}) => {
  test.setTimeout(360_000);
  const navigations: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (request.isNavigationRequest() && /^\/auth\/[a-z]+$/.test(pathname)) navigations.push(pathname);
  });
  await signIn(page, datadeck, 'ada.nowak@sandbox.example');
  await connectBoth(page, { google: 'ada.nowak@sandbox.example', github: 'ada-nowak' });

  // Each of the three left the app by a full-page navigation.
  expect(navigations).toEqual(['/auth/google', '/auth/google', '/auth/github']);

  // The next step is a button, until the first view exists.
  const steps = page.getByRole('region', { name: 'Three steps to your first view' });
  await expect(steps.getByRole('img', { name: 'Done' })).toHaveCount(1);
  await page.getByRole('button', { name: 'Synchronize Gmail' }).click();
  const details = page.getByRole('dialog', { name: /Overview/ });
  await expect(details.getByRole('heading', { name: 'Labels' })).toBeVisible();
  await page.keyboard.press('Escape');
  await syncEntity(page, 'Labels');
  await syncEntity(page, 'Messages', { 'Label IDs': 'INBOX' });
  await syncEntity(page, 'Pull Requests', {
    'Repository owner username': 'aurora-labs',
    'Repository name': 'harbor',
  });

  await page.getByRole('button', { name: 'Details of Pull Requests' }).click();
  await details.getByRole('button', { name: 'See 260 records' }).click();
  await expect(page.getByText('260 results')).toBeVisible();
  await openPage(page, 'Providers');
  await steps.getByRole('button', { name: 'Make a view' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save as View' });
  await dialog.getByLabel('Name').fill('Everything');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Everything', level: 2 })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Watch/ })).toBeEnabled();
  await openPage(page, 'Providers');
  await expect(page.getByRole('article', { name: 'Gmail' })).toBeVisible();
  await expect(steps).toBeHidden();

  await openPage(page, 'Query');
  await runTemplate(page, 'GitHub', 'Pull Requests', 'Pull requests by author');
  await expect(page.getByText('15 results')).toBeVisible();

  const expression = page.getByRole('textbox', { name: 'Query expression' });
  await expression.click();
  await page.keyboard.insertText('$sum(pulls)');
  await expect(page.getByText('Ran over the 15 rows of this page')).toBeVisible();
  const output = page.getByRole('tree', { name: 'Query output' }).or(page.getByLabel('Query output'));
  await expect(output.first()).toContainText('260');

  await page.reload();
  await expect(page.getByText('15 results')).toBeVisible();
  await expect(output.first()).toContainText('260');

  await page.goto('about:blank');
  await datadeck.restart();
  await page.goto(`${datadeck.url}/dashboard/integrations/synchronizations`);
  await expect(page.getByRole('button', { name: 'Details of Pull Requests' })).toBeVisible();
  await expect(page.getByText(/Nov|Dec|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct/).first()).toBeVisible();
  await openPage(page, 'Query');
  await runTemplate(page, 'Gmail', 'Messages', 'All messages');
  await expect(page.getByText(/^\d+ results$/)).toBeVisible();
});
