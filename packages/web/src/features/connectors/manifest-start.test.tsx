import type { ManifestAddress, ManifestStream } from '@datadeck/contract';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { detail, openConnectors, summary } from '../../../test-support/connectors.tsx';
import { address } from '../../../test-support/pages.tsx';

vi.mock('./document/document-editor.tsx', () => ({ default: () => null }));

const imported = (name: string, ...parents: string[]): ManifestStream => ({
  name,
  line: 10,
  isImported: true,
  reason: '',
  entities: [name, ...parents].map((one) => `help-desk-${one}`),
});
const noRoom = (name: string, ...parents: string[]): ManifestStream => ({
  ...imported(name, ...parents),
  isImported: false,
  reason: 'It can be imported, but a document has at most 20 entities.',
});
const refused = (name: string, line = 41): ManifestStream => ({
  name,
  line,
  isImported: false,
  reason: 'Cannot be translated: the extractor CustomRecordExtractor.',
  entities: [],
});
const answer = (streams: ManifestStream[], document = detail.document, remarks: string[] = []) => ({
  body: { document, remarks, streams },
});

const dialog = () => within(screen.getByRole('dialog'));
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const box = (name: string) =>
  screen.getByRole<HTMLInputElement>('checkbox', { name: new RegExp(`^${name}\\b`) });

/** Enters a manifest and submits it. */
async function importManifest(streams: { body: object }) {
  const answers: Parameters<typeof openConnectors>[1] = {
    'GET ': { body: { connectors: [summary], shipped: [] } },
    'POST /start': streams,
    'PUT /help-desk/draft': { body: { problems: [], draftAt: '2026-11-20T08:00:00.000Z' } },
    'GET /help-desk': { body: { ...detail, key: 'help-desk' } },
  };
  const calls = openConnectors('?start=manifest', answers);
  await screen.findByRole('dialog');
  fireEvent.change(dialog().getByLabelText('Title'), { target: { value: 'Help desk' } });
  fireEvent.change(dialog().getByLabelText('Manifest'), { target: { value: 'type: DeclarativeSource' } });
  press('Create draft');
  const starts = () => calls.filter(({ url }) => url.endsWith('/start')).map(({ body }) => body);
  return { answers, starts };
}

describe('a draft that starts from a manifest of Airbyte', () => {
  it('opens with the streams that were left out, until they are dismissed', async () => {
    const streams = [imported('tickets'), imported('comments'), refused('audits')];
    const { starts } = await importManifest(answer(streams, undefined, ['The key was shortened.']));
    const notice = within(await screen.findByRole('region', { name: 'Import of the manifest' }));
    expect(notice.getByRole('heading').textContent).toBe('2 of 3 streams were imported.');
    expect(
      within(notice.getByRole('list', { name: 'Streams left out' })).getByRole('listitem').textContent,
    ).toBe('audits Line 41 Cannot be translated: the extractor CustomRecordExtractor.');
    expect(notice.getByText('The key was shortened.')).toBeTruthy();
    expect(starts()).toEqual([
      { from: 'manifest', key: 'help-desk', title: 'Help desk', manifest: 'type: DeclarativeSource' },
    ]);
    press('Dismiss');
    expect(screen.queryByRole('region', { name: 'Import of the manifest' })).toBeNull();
  });

  it('asks for the values on which addresses depend, and sends them with the chosen streams', async () => {
    const addresses: ManifestAddress[] = [
      { path: 'domain', label: 'Domain', tip: 'Of your site.', value: '', choices: [], example: 'acme.test' },
      { path: 'region', label: 'Region', tip: '', value: 'us', choices: ['us', 'eu'], example: '' },
      { path: 'sandbox', label: 'Sandbox', tip: '', value: 'false', choices: ['true', 'false'], example: '' },
    ];
    const first = answer([refused('tickets')], '', ['No stream of the manifest was imported.']);
    const { answers, starts } = await importManifest({ body: { ...first.body, addresses } });
    const domain = await screen.findByRole('textbox', { name: /^Domain/ });
    expect(screen.queryByText('No stream of the manifest was imported.')).toBeNull();
    fireEvent.change(screen.getByRole('combobox', { name: /^Region/ }), { target: { value: 'eu' } });
    expect(screen.getByRole('combobox', { name: /^Sandbox/ }).textContent).toBe('YesNo');
    press('Create draft');
    expect(await screen.findByText('No stream of the manifest was imported.')).toBeTruthy();
    expect(screen.getByRole('list', { name: 'Streams left out' })).toBeTruthy();
    fireEvent.change(domain, { target: { value: 'acme.test' } });
    expect(screen.queryByText('No stream of the manifest was imported.')).toBeNull();
    answers['POST /start'] = { body: { ...answer([imported('tickets')]).body, addresses } };
    press('Create draft');
    await screen.findByRole('region', { name: 'Import of the manifest' });
    const values = { domain: 'acme.test', region: 'eu', sandbox: 'false' };
    expect(starts().map((body) => (body as { values?: object }).values)).toEqual([
      undefined,
      { ...values, domain: '' },
      values,
    ]);
  });

  it('asks for what the entered values bring up', async () => {
    const own = {
      path: 'own',
      label: 'Own host',
      tip: '',
      value: 'false',
      choices: ['true', 'false'],
      example: '',
    };
    const domain = { path: 'domain', label: 'Domain', tip: '', value: '', choices: [], example: '' };
    const first = answer([imported('tickets')]);
    const { answers, starts } = await importManifest({ body: { ...first.body, addresses: [own] } });
    fireEvent.change(await screen.findByRole('combobox', { name: /^Own host/ }), {
      target: { value: 'true' },
    });
    const asked = [{ ...own, value: 'true' }, domain];
    answers['POST /start'] = { body: { ...answer([refused('tickets')], '').body, addresses: asked } };
    press('Create draft');
    fireEvent.change(await screen.findByRole('textbox', { name: /^Domain/ }), {
      target: { value: 'a.test' },
    });
    answers['POST /start'] = {
      body: { ...first.body, addresses: [asked[0], { ...domain, value: 'a.test' }] },
    };
    press('Create draft');
    await screen.findByRole('region', { name: 'Import of the manifest' });
    expect((starts().at(-1) as { values?: object }).values).toEqual({ own: 'true', domain: 'a.test' });
  });

  it('lists streams that cannot be imported before those without room', async () => {
    await importManifest(answer([noRoom('users'), refused('audits')]));
    await screen.findByRole('checkbox', { name: 'users' });
    fireEvent.click(box('users'));
    press('Create draft');
    const list = await screen.findByRole('list', { name: 'Streams left out' });
    expect(
      within(list)
        .getAllByRole('listitem')
        .map((row) => row.textContent?.split(' ')[0]),
    ).toEqual(['audits', 'users']);
  });

  it('shows five streams that were left out, and all of them on demand', async () => {
    const streams = Array.from({ length: 8 }, (_, index) => refused(`list${index}`, index));
    await importManifest(answer([imported('tickets'), ...streams]));
    const list = await screen.findByRole('list', { name: 'Streams left out' });
    expect(within(list).getAllByRole('listitem')).toHaveLength(5);
    press('Show all 8');
    expect(within(list).getAllByRole('listitem')).toHaveLength(8);
  });

  it('is not made if nothing could be imported, and says why of each stream', async () => {
    await importManifest(answer([refused('audits')], '', ['No stream of the manifest was imported.']));
    expect((await screen.findByRole('alert')).textContent).toBe('No stream of the manifest was imported.');
    expect(screen.getByText('Line 41')).toBeTruthy();
    fireEvent.change(dialog().getByLabelText('Manifest'), { target: { value: 'other' } });
    expect(screen.queryByText('Line 41')).toBeNull();
  });

  it('has the chosen streams of a manifest with more than fit', async () => {
    const first = Array.from({ length: 19 }, (_, index) => imported(`list${index}`));
    const streams = [
      ...first,
      imported('tickets'),
      noRoom('users'),
      noRoom('notes', 'tickets'),
      refused('audits'),
    ];
    const { answers, starts } = await importManifest(answer(streams));
    await screen.findByText('20 of 20 chosen');
    expect(screen.getByText(/^22 streams can be imported.*1 more cannot be imported/)).toBeTruthy();
    expect(screen.queryByRole('checkbox', { name: /audits/ })).toBeNull();

    fireEvent.click(box('users'));
    expect(screen.getByRole('status').textContent).toBe('21 of 20 chosen: take 1 away');
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Create draft' }).disabled).toBe(true);

    press('Choose none');
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Create draft' }).disabled).toBe(true);
    fireEvent.change(screen.getByLabelText('Search streams'), { target: { value: 'NOTE' } });
    expect(screen.getAllByRole('checkbox')).toHaveLength(1);
    fireEvent.click(box('notes'));
    fireEvent.change(screen.getByLabelText('Search streams'), { target: { value: '' } });
    expect([box('tickets').checked, box('tickets').disabled]).toEqual([true, true]);
    expect(screen.getByRole('status').textContent).toBe('2 of 20 chosen');

    answers['POST /start'] = answer([imported('tickets'), imported('notes', 'tickets')]);
    press('Create draft');
    await waitFor(() => expect(address()).toMatch(/help-desk$/));
    expect(starts()[1]).toMatchObject({ streams: ['notes'] });
  });

  it('goes back from the choice to what was entered', async () => {
    await importManifest(answer([imported('tickets'), noRoom('users')]));
    await screen.findByRole('checkbox', { name: 'users' });
    press('Back');
    expect(dialog().getByLabelText<HTMLTextAreaElement>('Manifest').value).toBe('type: DeclarativeSource');
  });

  it('takes a long pasted text as a whole', async () => {
    openConnectors('?start=manifest', { 'GET ': { body: { connectors: [], shipped: [] } } });
    await screen.findByRole('dialog');
    const area = dialog().getByLabelText<HTMLTextAreaElement>('Manifest');
    fireEvent.change(area, { target: { value: 'a: 1' } });
    area.setSelectionRange(3, 4);
    const long = '2'.repeat(30_000);
    fireEvent.paste(area, { clipboardData: { getData: () => long } });
    expect(area.value).toBe(`a: ${long}`);
  });

  it('refuses a file that is too large', async () => {
    openConnectors('?start=manifest', { 'GET ': { body: { connectors: [], shipped: [] } } });
    await screen.findByRole('dialog');
    const file = new File(['x'.repeat(2_000_001)], 'manifest.yaml');
    fireEvent.change(screen.getByLabelText('File'), { target: { files: [file] } });
    expect((await screen.findByRole('alert')).textContent).toBe(
      'manifest.yaml has more than 2,000,000 characters.',
    );
    expect(dialog().getByLabelText<HTMLTextAreaElement>('Manifest').value).toBe('');
  });
});
