import { DESK_MANIFEST, manifestOf } from '../packages/connectors/test-support/airbyte/index.ts';
import { expect, linkIn, signInByLink, test } from './support/journey.ts';
import { expectSound } from './support/soundness.ts';

const START = '/dashboard/integrations/connectors?start=manifest';

test.describe.configure({ timeout: 240_000 });

test('an administrator starts a connector from a manifest of Airbyte', async ({ page, datadeck }) => {
  await signInByLink(page, linkIn(await datadeck.admin('login', 'root@example.org')));
  await page.goto(datadeck.url + START);
  const dialog = page.getByRole('dialog', { name: 'New connector' });
  await dialog.getByLabel('Title').fill('Help desk');
  await dialog.getByLabel('Manifest').fill(manifestOf([{ name: 'audits', extractor: 'a.B' }]));
  await dialog.getByRole('button', { name: 'Create draft' }).click();
  await expect(dialog.getByText('No stream of the manifest was imported.')).toBeVisible();
  await expect(dialog.getByRole('list', { name: 'Streams left out' })).toContainText('audits');
  await expectSound(page, '[role="dialog"]');

  await dialog.getByLabel('Manifest').fill(DESK_MANIFEST);
  await dialog.getByRole('button', { name: 'Create draft' }).click();
  const notice = page.getByRole('region', { name: 'Import of the manifest' });
  await expect(notice.getByRole('heading')).toHaveText('2 of 3 streams were imported.');
  await expect(notice.getByRole('listitem')).toHaveText(
    /^audits Line \d+ Cannot be translated: the extractor CustomRecordExtractor\.$/,
  );
  await expectSound(page);
  await page.getByRole('textbox', { name: 'Base address' }).fill('https://desk.example.org');
  await page.keyboard.press('ControlOrMeta+s');
  await expect(page.getByText(/^Draft saved/)).toBeVisible();
  await expect(notice).toBeVisible();
  await notice.getByRole('button', { name: 'Dismiss' }).click();
  await expect(notice).toBeHidden();
});

test('an administrator chooses among the streams of a large manifest by the keyboard', async ({
  page,
  datadeck,
}) => {
  await signInByLink(page, linkIn(await datadeck.admin('login', 'root@example.org')));
  await page.goto(datadeck.url + START);
  const dialog = page.getByRole('dialog', { name: 'New connector' });
  await dialog.getByLabel('Title').fill('Help desk');
  const many = Array.from({ length: 30 }, (_, index) => ({ name: `list_${index}` }));
  await dialog
    .getByLabel('Manifest')
    .fill(manifestOf([...many, { name: 'comments', parent: 'list_29' }, { name: 'a', extractor: 'a.B' }]));
  await dialog.getByRole('button', { name: 'Create draft' }).press('Enter');
  await expect(dialog.getByText('20 of 20 chosen')).toBeVisible();
  await expectSound(page, '[role="dialog"]');
  await dialog.getByRole('button', { name: 'Choose none' }).press('Enter');
  await dialog.getByRole('searchbox', { name: 'Search streams' }).fill('comm');
  await dialog.getByRole('checkbox', { name: 'comments' }).press('Space');
  await expect(dialog.getByText('2 of 20 chosen')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: '2 of 32 streams were imported.' })).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Document' })).toContainText('help-desk-list-29');
});

test('an administrator enters the address of a service that a manifest leaves open', async ({
  page,
  datadeck,
}, info) => {
  await signInByLink(page, linkIn(await datadeck.admin('login', 'root@example.org')));
  await page.goto(datadeck.url + START);
  const dialog = page.getByRole('dialog', { name: 'New connector' });
  await dialog.getByLabel('Title').fill('Help desk');
  const address = "https://{{ 'sandbox.' if config['sandbox'] }}{{ config['domain'] }}/{{ config['zone'] }}";
  const properties = `      domain: { type: string, title: Domain, description: 'The domain of your help desk.', examples: [desk.acme.com] }
      sandbox: { type: boolean, title: Sandbox, default: false }
      zone: { type: string, title: Zone }
`;
  const manifest = manifestOf([{ name: 'tickets' }, { name: 'audits', extractor: 'a.B' }]);
  await dialog
    .getByLabel('Manifest')
    .fill(manifest.replace('https://desk.example.com', `"${address}"`) + properties);
  await dialog.getByRole('button', { name: 'Create draft' }).press('Enter');
  const domain = dialog.getByRole('textbox', { name: 'Domain' });
  const sandbox = dialog.getByRole('combobox', { name: 'Sandbox' });
  await expect(sandbox).toBeFocused();
  await expect(sandbox).toHaveValue('false');
  await expect(dialog.getByRole('textbox', { name: 'Zone' })).toBeHidden();
  await expectSound(page, '[role="dialog"]');
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [1440, 390]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      await page.screenshot({ path: info.outputPath(`address-${colorScheme}-${width}.png`) });
    }
  await page.setViewportSize({ width: 1280, height: 800 });
  await domain.press('Enter');
  await expect(dialog.getByRole('list', { name: 'Streams left out' })).toContainText(
    'an address that needs a value of domain',
  );
  await domain.fill('https://desk.example.org');
  await domain.press('Enter');
  await expect(page.getByRole('heading', { name: '1 of 2 streams was imported.' })).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Base address' })).toHaveValue('https://desk.example.org');
});
