import { Client } from '../packages/server/test-support/test-server.ts';
import { expectAccessible } from './support/soundness.ts';
import { expect, test } from './support/workspace.ts';

test('shows the calls of the API with examples, and makes one with a token', async ({
  page,
  openAs,
  workspace,
}) => {
  const user = await new Client(workspace).signIn('ada.nowak@sandbox.example');
  const body = { name: 'reference', scope: 'read', expiresInDays: 1 };
  const { token } = await user.post<{ token: string }>('/api/accounts/tokens', body);
  const foreign: string[] = [];
  page.context().on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith('http') && origin !== workspace.url) foreign.push(request.url());
  });
  await openAs(user, '/dashboard/account');
  const link = page.getByRole('link', { name: 'API reference' });
  await expect(link).toHaveAttribute('href', '/api/v1/reference');

  // Fails the test for each violation of the policy, which the browser reports as an error of the console.
  const response = await page.goto(`${workspace.url}/api/v1/reference`);
  const policy = response?.headers()['content-security-policy'] ?? '';
  expect(policy).toContain("script-src 'self';");
  expect(policy).not.toContain('unsafe-eval');
  await expect(page.getByRole('heading', { name: 'Datadeck', level: 1 })).toBeVisible();
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(page.locator('body')).toHaveClass(/dark-mode/);
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.getByRole('link', { name: 'Views' }).first().click();
  await expect(page.getByRole('heading', { name: 'Create a category' })).toBeVisible();
  await expect(page.getByText('"title": "Reports"').first()).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('textbox', { name: 'Bearer Token' }).first().fill(token);
  await page.getByRole('button', { name: 'Test Request (get /api/v1/data/views/categories)' }).click();
  const answer = page.waitForResponse((response) => response.url().endsWith('/api/v1/data/views/categories'));
  await page.getByRole('button', { name: 'Send Request' }).first().click();
  expect((await answer).status()).toBe(200);
  expect(foreign).toEqual([]);
});
