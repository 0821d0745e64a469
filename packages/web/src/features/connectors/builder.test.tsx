import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { DOCUMENT, detail, openConnectors, summary } from '../../../test-support/connectors.tsx';
import { address } from '../../../test-support/pages.tsx';
import type { DocumentEditorProps } from './document/document-editor.tsx';

// jsdom has no layout, which CodeMirror needs.
vi.mock('./document/document-editor.tsx', () => ({
  default: ({ text, onChange, problems }: DocumentEditorProps) => (
    <>
      <textarea aria-label="Document" value={text} onChange={({ target }) => onChange(target.value)} />
      <output aria-label="Marks">{problems.map(({ path }) => path).join(' ')}</output>
    </>
  ),
}));

const SAVED = { body: { problems: [], draftAt: '2026-11-21T08:00:00.000Z' } };
const editor = () => screen.findByLabelText<HTMLTextAreaElement>('Document');
const document_ = async () => JSON.parse((await editor()).value) as typeof DOCUMENT;
const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }));
const confirm = async () => fireEvent.click(await screen.findByRole('button', { name: 'Confirm' }));
const pane = (name: string) => fireEvent.click(screen.getByRole('radio', { name }));
const isDisabled = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name }).disabled;

async function show(
  answers: Parameters<typeof openConnectors>[1] = {},
  changes: Partial<typeof detail> = {},
) {
  const all = { 'GET /desk': { body: { ...detail, ...changes } }, ...answers };
  const calls = openConnectors('/desk', all);
  await editor();
  return { calls, answers: all };
}

describe('ConnectorBuilder', () => {
  it('writes what the form changes into the document, and reads what is typed there', async () => {
    await show();
    type('Base address', 'https://other.example.com');
    expect((await document_()).baseUrl).toBe('https://other.example.com');
    fireEvent.change(await editor(), { target: { value: JSON.stringify({ ...DOCUMENT, title: 'New' }) } });
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('New');
    expect(screen.getByLabelText('Base address')).toHaveProperty('value', DOCUMENT.baseUrl);
  });

  it('disables the form while the text cannot be read', async () => {
    await show();
    fireEvent.change(await editor(), { target: { value: '{\n"title" "x"}' } });
    expect(screen.getByText(/look at line 2\. Until it is corrected/)).toBeTruthy();
    expect(screen.getByLabelText('Base address').closest('fieldset')).toHaveProperty('disabled', true);
    expect(screen.getByLabelText('Base address')).toHaveProperty('value', DOCUMENT.baseUrl);
  });

  it('saves the draft with the keys, and shows the problems at their fields', async () => {
    const problem = { path: 'entities.0.records', message: 'There is no items.' };
    const { calls } = await show({ 'PUT /desk/draft': { body: { ...SAVED.body, problems: [problem] } } });
    expect(isDisabled('Save draft')).toBe(true);
    type('Base address', 'https://other.example.com');
    expect(screen.getByText('Unsaved changes')).toBeTruthy();
    fireEvent.keyDown(window, { key: 's', ctrlKey: true });
    await waitFor(() => expect(calls.filter(({ method }) => method === 'PUT')).toHaveLength(1));
    await waitFor(() => expect(screen.getByLabelText('Marks').textContent).toBe(problem.path));
    expect(screen.getByLabelText('Records').getAttribute('aria-invalid')).toBe('true');
    expect(screen.getByRole('button', { name: 'Publish' })).toHaveProperty(
      'title',
      'Correct 1 problem first.',
    );
  });

  it('leads from a problem to its field', async () => {
    await show({}, { problems: [{ path: 'quota.perMinute', message: 'Too many.' }] });
    press(/Too many/);
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Requests a minute')));
  });

  it('leads to a field that two closed sections fold, which is rendered then', async () => {
    const [entity] = DOCUMENT.entities;
    const document_ = { ...DOCUMENT, entities: [entity, { ...entity, id: 'desk-notes', title: 'Notes' }] };
    const problems = [{ path: 'entities.1.templates.0.description', message: 'It is empty.' }];
    await show({}, { document: JSON.stringify(document_), problems });
    expect(screen.queryAllByLabelText('Key')).toEqual([]);
    press(/It is empty/);
    await waitFor(() =>
      expect(document.activeElement?.closest('[data-path]')).toHaveProperty(
        'dataset.path',
        'entities.1.templates.0.description',
      ),
    );
    expect(screen.getAllByLabelText('Key')).toHaveLength(1);
  });

  it('adds to each kind of sign-in the fields that it needs', async () => {
    await show();
    fireEvent.change(screen.getByLabelText('Authentication'), { target: { value: 'none' } });
    expect(await document_()).toMatchObject({ authentication: { kind: 'none' }, connect: {} });
    expect((await document_()).connect).not.toHaveProperty('secret');
    fireEvent.change(screen.getByLabelText('Authentication'), { target: { value: 'basic' } });
    expect(await document_()).toMatchObject({
      authentication: { kind: 'basic', user: 'user' },
      connect: { fields: [{ name: 'user' }], secret: { name: 'token', label: 'Password' } },
    });
    fireEvent.change(screen.getByLabelText('Authentication'), { target: { value: 'client-credentials' } });
    type('Scopes', 'read:all  write ');
    expect(screen.getByLabelText('Scopes')).toHaveProperty('value', 'read:all  write ');
    expect(await document_()).toMatchObject({
      authentication: { kind: 'client-credentials', user: 'client', scopes: ['read:all', 'write'] },
      connect: { fields: [{ name: 'client', label: 'Client id' }] },
    });
  });

  it('stores the OAuth client beside the document, and shows its secret no more', async () => {
    const { calls } = await show({ 'PUT /desk/client': { body: { ok: true } } });
    fireEvent.change(screen.getByLabelText('Authentication'), { target: { value: 'oauth-code' } });
    expect((await document_()).connect).toEqual({});
    expect(screen.getByText('https://data.example.org/auth/desk/callback')).toBeTruthy();
    expect(isDisabled('Store client')).toBe(true);
    type('Client id', 'datadeck');
    type('Client secret', 's3cret');
    press('Store client');
    await screen.findByText('The OAuth client is stored');
    expect(calls.find(({ url }) => url.endsWith('/client'))?.body).toEqual({
      id: 'datadeck',
      secret: 's3cret',
    });
    expect(screen.getByLabelText('Client secret')).toHaveProperty('value', '');
    expect((await editor()).value).not.toContain('s3cret');
  });

  it('adds, renames and removes columns, and never two of one name', async () => {
    await show();
    const names = async () => Object.keys((await document_()).entities[0]?.columns ?? {});
    press('Add column');
    expect(await names()).toEqual(['subject', 'column']);
    const box = screen.getByLabelText('Column column: name');
    fireEvent.change(box, { target: { value: 'subject' } });
    expect(screen.getByText('There is one already')).toBeTruthy();
    fireEvent.blur(box);
    expect(await names()).toEqual(['subject', 'column']);
    fireEvent.change(box, { target: { value: 'state' } });
    fireEvent.blur(box);
    expect(await names()).toEqual(['subject', 'state']);
    press('Remove subject');
    expect(await names()).toEqual(['state']);
  });

  it('begins pagination and incremental runs with what they need', async () => {
    await show();
    fireEvent.change(screen.getByLabelText('Pagination'), { target: { value: 'cursor' } });
    expect((await document_()).entities[0]).toMatchObject({
      pagination: { kind: 'cursor', in: 'query', parameter: 'cursor', next: 'response.next_cursor' },
    });
    fireEvent.change(screen.getByLabelText('Pagination'), { target: { value: '' } });
    expect((await document_()).entities[0]).not.toHaveProperty('pagination');
    press('Add entity');
    expect((await document_()).entities[1]).toMatchObject({ id: 'desk-items', titleColumn: 'title' });
  });

  it('publishes the saved draft after a confirmation', async () => {
    const { calls } = await show({ 'POST /desk/publish': { body: { version: 3 } } });
    press('Publish');
    expect(await screen.findByRole('alertdialog', { name: 'Publish version 3' })).toBeTruthy();
    press('Confirm');
    await screen.findByText('Version 3 is published');
    expect(calls.some(({ url }) => url.endsWith('/publish'))).toBe(true);
  });

  it('restores an earlier version, and says what becomes of the draft', async () => {
    const { calls } = await show({ 'POST /desk/restore': { body: { version: 3 } } });
    pane('Versions');
    expect(screen.getByText(/by a deleted account/)).toBeTruthy();
    press('Restore version 1');
    expect(await screen.findByText('The draft with its unpublished changes stays.')).toBeTruthy();
    press('Confirm');
    await screen.findByText('Version 1 is published again as version 3');
    expect(calls.find(({ url }) => url.endsWith('/restore'))?.body).toEqual({ version: 1 });
  });

  it('takes over the document of the server when nothing is unsaved', async () => {
    const { answers } = await show({ 'DELETE /desk/draft': { body: { ok: true } } });
    type('Base address', 'https://other.example.com');
    fireEvent.keyDown(screen.getByRole('button', { name: 'More actions' }), { key: 'Enter' });
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Discard draft' }));
    await confirm();
    answers['GET /desk'] = {
      body: { ...detail, draftAt: null, document: JSON.stringify({ ...DOCUMENT, title: 'Published' }) },
    };
    await waitFor(() => expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Published'));
    expect(screen.queryByText('Unsaved changes')).toBeNull();
  });

  it('deletes a connector once its key is typed, and leaves without asking', async () => {
    const { calls } = await show({
      'POST /desk/delete': { body: { ok: true } },
      'GET ': { body: { connectors: [], shipped: [] } },
    });
    type('Base address', 'https://other.example.com');
    fireEvent.keyDown(screen.getByRole('button', { name: 'More actions' }), { key: 'Enter' });
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Delete…' }));
    const dialog = await screen.findByRole('dialog', { name: 'Delete Help desk' });
    expect(within(dialog).getByText(/3 connected accounts are removed/)).toBeTruthy();
    expect(within(dialog).getByRole('button', { name: 'withdraw it' })).toBeTruthy();
    const remove = within(dialog).getByRole('button', { name: 'Delete connector' });
    expect(remove).toHaveProperty('disabled', true);
    type('Type the key of the connector', 'desk');
    fireEvent.click(remove);
    await waitFor(() => expect(address()).toBe('/dashboard/integrations/connectors'));
    expect(calls.find(({ url }) => url.endsWith('/delete'))?.body).toEqual({ confirmation: 'desk' });
  });

  it('says that there is no such connector', async () => {
    const error = { code: 'not-found', message: 'There is no such connector.' };
    openConnectors('/desk', { 'GET /desk': { status: 404, body: { error } } });
    expect(await screen.findByText(/There is no connector with this key/)).toBeTruthy();
  });

  it('offers a withdrawn connector again', async () => {
    const { calls } = await show(
      { 'POST /desk/withdraw': { body: { ok: true } } },
      { ...summary, state: 'withdrawn' },
    );
    fireEvent.keyDown(screen.getByRole('button', { name: 'More actions' }), { key: 'Enter' });
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Offer again' }));
    await confirm();
    await screen.findByText('Help desk is offered again');
    expect(calls.find(({ url }) => url.endsWith('/withdraw'))?.body).toEqual({ isWithdrawn: false });
  });

  it('says that publishing offers a withdrawn connector again', async () => {
    await show({}, { ...summary, state: 'withdrawn' });
    press('Publish');
    expect(await screen.findByText(/is withdrawn now\. Publishing version 3 offers it again/)).toBeTruthy();
  });
});
