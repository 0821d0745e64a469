import { expect, test } from './support/workspace.ts';

test('can be installed as an app, with its icons', async ({ page, openAs, workspace }) => {
  await openAs('standard', '/dashboard/home');
  const browser = await page.context().newCDPSession(page);
  const { errors, data = '{}' } = await browser.send('Page.getAppManifest');
  expect(errors).toEqual([]);
  const { icons, start_url } = JSON.parse(data) as {
    icons: { src: string; type: string }[];
    start_url: string;
  };
  expect(start_url).toBe('/dashboard/home');
  for (const { src, type } of [...icons, { src: '/apple-touch-icon.png', type: 'image/png' }]) {
    const icon = await page.request.get(workspace.url + src);
    expect([src, icon.status(), icon.headers()['content-type']?.split(';')[0]]).toEqual([src, 200, type]);
  }
  const { installabilityErrors } = await browser.send('Page.getInstallabilityErrors');
  // The browsers of tests have no profile.
  expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([]);
});

test('asks for notifications after a click only', async ({ page, openAs }) => {
  // A person who allows them: the headless shell of Chromium refuses notifications to every site.
  await page.addInitScript(() => {
    const asked = () => Number(sessionStorage.getItem('asked') ?? 0);
    Object.defineProperty(Notification, 'permission', { get: () => (asked() > 0 ? 'granted' : 'default') });
    Notification.requestPermission = async () => {
      sessionStorage.setItem('asked', String(asked() + 1));
      return 'granted';
    };
  });
  const timesAsked = () => page.evaluate(() => Number(sessionStorage.getItem('asked') ?? 0));
  await openAs('standard', '/dashboard/data/alerts');
  const turnOn = page.getByRole('button', { name: 'Turn on' });
  await expect(turnOn).toBeVisible();
  expect(await timesAsked()).toBe(0);
  await turnOn.click();
  await expect(page.getByText(/^On: alerts/)).toBeVisible();
  await page.reload();
  await page.getByRole('button', { name: 'Turn off' }).click();
  await expect(turnOn).toBeVisible();
  expect(await timesAsked()).toBe(1);
});
