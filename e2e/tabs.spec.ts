import { Client } from '../packages/server/test-support/test-server.ts';
import { expect, test } from './support/workspace.ts';

// A browser opens six connections to a server by plain HTTP: with a stream for each tab the seventh would get nothing.
test('keeps eight tabs of one browser up to date', async ({ page, openAs, workspace }) => {
  const user = await new Client(workspace).signIn('mei.tanaka@sandbox.example');
  const query = { templateKey: 'pulls-all', providerId: 'github', entityLabel: 'gh-pulls' };
  await user.post('/api/data/views', {
    ...query,
    title: 'Seen in every tab',
    description: 'd',
    jsonNataQuery: '$',
  });
  const place = '/dashboard/data/views?provider=github&entity=gh-pulls';
  await openAs(user, place);
  const tabs = [page];
  for (let n = 1; n < 8; n++) tabs.push(await page.context().newPage());
  for (const tab of tabs) {
    await tab.goto(workspace.url + place);
    await expect(tab.getByText('Seen in every tab')).toBeVisible();
  }
  await user.json('DELETE', '/api/accounts/delete-data');
  for (const tab of tabs)
    await expect(tab.getByText('No views available for selected filters')).toBeVisible();
  for (const tab of tabs.slice(1)) await tab.close();
});
