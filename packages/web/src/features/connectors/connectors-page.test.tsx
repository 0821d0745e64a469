import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { DOCUMENT, detail, openConnectors, summary } from '../../../test-support/connectors.tsx';
import { address } from '../../../test-support/pages.tsx';

vi.mock('./document/document-editor.tsx', () => ({ default: () => null }));

const shipped = [{ key: 'todoist', title: 'Todoist', description: '' }];
const list = (connectors = [summary]) => ({ body: { connectors, shipped } });
const fill = (label: string | RegExp, value: string) =>
  fireEvent.change(within(screen.getByRole('dialog')).getByLabelText(label), { target: { value } });
const create = () => fireEvent.click(screen.getByRole('button', { name: 'Create draft' }));

describe('ConnectorsPage', () => {
  it('asks the server for nothing when the user is no administrator', () => {
    expect(openConnectors('', {}, { isAdministrator: false })).toEqual([]);
    expect(screen.getByText('This screen is for administrators')).toBeTruthy();
  });

  it('lists connectors with their state, accounts and publication', async () => {
    openConnectors('', { 'GET ': list() });
    const row = within(await screen.findByRole('list', { name: 'Connectors' })).getByRole('listitem');
    for (const text of ['Published v2', 'Unpublished changes', '3 accounts'])
      expect(within(row).getByText(text)).toBeTruthy();
    expect(within(row).getByRole('link', { name: 'Help desk' }).getAttribute('href')).toMatch(/\/desk$/);
  });

  it('explains connectors and offers each start when there are none', async () => {
    openConnectors('', { 'GET ': list([]) });
    const starts = await screen.findByRole('list', { name: 'Start from' });
    expect(within(starts).getAllByRole('button')).toHaveLength(6);
    expect(screen.queryByRole('button', { name: 'New connector' })).toBeNull();
    fireEvent.click(within(starts).getByRole('button', { name: /OpenAPI/ }));
    expect(await screen.findByLabelText('OpenAPI description')).toBeTruthy();
  });

  it('says why connectors could not be loaded', async () => {
    const answers: Record<string, { body: unknown }> = {};
    openConnectors('', answers);
    const again = await screen.findByRole('button', { name: 'Try again' });
    answers['GET '] = list();
    fireEvent.click(again);
    await screen.findByRole('list', { name: 'Connectors' });
  });
});

describe('NewConnectorDialog', () => {
  it('makes a draft of an example answer and shows the remarks beside it', async () => {
    const calls = openConnectors('?start=example', {
      'GET ': list(),
      'POST /start': { body: { document: detail.document, remarks: ['The date is guessed.'] } },
      'PUT /help-desk/draft': { body: { problems: [], draftAt: '2026-11-20T08:00:00.000Z' } },
      'GET /help-desk': { body: { ...detail, key: 'help-desk' } },
    });
    await screen.findByRole('dialog', { name: 'New connector' });
    fill('Title', 'Help desk');
    expect(within(screen.getByRole('dialog')).getByLabelText('Key')).toHaveProperty('value', 'help-desk');
    create();
    expect(await screen.findAllByText('Required')).toHaveLength(2);
    fill('Address', 'https://desk.example.com/api/tickets');
    fill('Answer', '{"items":[]}');
    create();
    expect(await screen.findByText('The date is guessed.')).toBeTruthy();
    expect(address()).toBe('/dashboard/integrations/connectors/help-desk');
    expect(calls.filter(({ method }) => method !== 'GET').map(({ body }) => body)).toEqual([
      {
        from: 'example',
        key: 'help-desk',
        title: 'Help desk',
        address: 'https://desk.example.com/api/tickets',
        answer: '{"items":[]}',
      },
      { document: detail.document, changedAt: null },
    ]);
  });

  it('tries an address with a key, which it sends for that alone', async () => {
    const error = { code: 'validation', message: 'Check the fields.', fields: { secret: 'Status 401.' } };
    const answers: Parameters<typeof openConnectors>[1] = {
      'GET ': list(),
      'POST /start': { status: 422, body: { error } },
      'PUT /help-desk/draft': { body: { problems: [], draftAt: '2026-11-20T08:00:00.000Z' } },
      'GET /help-desk': { body: { ...detail, key: 'help-desk' } },
    };
    const calls = openConnectors('?start=address', answers);
    await screen.findByRole('dialog', { name: 'New connector' });
    fill('Title', 'Help desk');
    fill('Address', 'https://desk.example.com/api/tickets');
    create();
    expect(await screen.findByText('Status 401. Choose how the request signs in.')).toBeTruthy();
    fill('Sign-in', 'header');
    create();
    expect(await screen.findAllByText('Required')).toHaveLength(2);
    fill('Header', 'x-api-key');
    fill('API key', 'k3y');
    answers['POST /start'] = { body: { document: detail.document, remarks: [] } };
    create();
    await waitFor(() => expect(address()).toBe('/dashboard/integrations/connectors/help-desk'));
    const sent = calls.filter(({ method }) => method !== 'GET').map(({ body }) => body);
    const start = {
      from: 'address',
      key: 'help-desk',
      title: 'Help desk',
      address: 'https://desk.example.com/api/tickets',
    };
    expect(sent).toEqual([
      { ...start, header: '', secret: '' },
      { ...start, header: 'x-api-key', secret: 'k3y' },
      { document: detail.document, changedAt: null },
    ]);
  });

  it('refuses the key of another connector before anything is sent', async () => {
    const calls = openConnectors('?start=openapi', { 'GET ': list() });
    await screen.findByRole('dialog');
    fill('Key', 'todoist');
    fill('OpenAPI description', 'openapi: 3.1.0');
    create();
    expect(await screen.findByText('There is a connector with this key already')).toBeTruthy();
    expect(calls.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it('shows what the server refuses at its field', async () => {
    const error = { code: 'validation', message: 'Check the fields.', fields: { answer: 'This is no JSON' } };
    openConnectors('?start=example', { 'GET ': list(), 'POST /start': { status: 422, body: { error } } });
    await screen.findByRole('dialog');
    fill('Title', 'Help desk');
    fill('Address', 'https://desk.example.com/api/tickets');
    fill('Answer', 'x');
    create();
    await waitFor(() => expect(screen.getByLabelText('Answer').getAttribute('aria-invalid')).toBe('true'));
    expect(screen.getByText('This is no JSON')).toBeTruthy();
  });

  it('says why nothing could be made of a text', async () => {
    const remarks = ['This is not YAML: line 2 is indented too little.'];
    const calls = openConnectors('?start=document', {
      'GET ': list(),
      'POST /start': { body: { document: 'a: b', remarks } },
    });
    await screen.findByRole('dialog');
    fill('Document', 'a: b');
    create();
    expect(await screen.findByText(/line 2 is indented too little/)).toBeTruthy();
    expect(calls.filter(({ method }) => method === 'PUT')).toEqual([]);
  });

  it('takes the key of a pasted document, and overwrites no other connector', async () => {
    const calls = openConnectors('?start=document', {
      'GET ': list(),
      'POST /start': { body: { document: JSON.stringify(DOCUMENT), remarks: [] } },
    });
    await screen.findByRole('dialog');
    fill('Document', JSON.stringify(DOCUMENT));
    create();
    expect(
      await screen.findByText(/The key "desk": There is a connector with this key already/),
    ).toBeTruthy();
    expect(calls.filter(({ method }) => method === 'PUT')).toEqual([]);
  });
});
