import type { ConnectorTrialResult } from '@datadeck/contract';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { type DOCUMENT, detail, openConnectors } from '../../../test-support/connectors.tsx';
import type { DocumentEditorProps } from './document/document-editor.tsx';

vi.mock('./document/document-editor.tsx', () => ({
  default: ({ text }: DocumentEditorProps) => <textarea aria-label="Document" readOnly value={text} />,
}));

const trial: ConnectorTrialResult = {
  request: { method: 'GET', url: 'https://desk.example.com/api/tickets', headers: {}, body: null },
  answer: { status: 200, type: 'application/json', bytes: 1200, milliseconds: 80, text: '{"items":[]}' },
  records: { count: 7, first: ['{"id":1}'] },
  nextPage: null,
  columns: [{ name: 'subject', type: 'text', values: ['Printer'], filled: 7 }],
  suggestions: [{ name: 'state', type: 'text', value: 'record.state', example: 'open' }],
  problems: [{ path: 'entities.0.date', message: 'No record has a date.' }],
};

async function show(name: string, answers: Parameters<typeof openConnectors>[1], changes = {}) {
  const calls = openConnectors('/desk', { 'GET /desk': { body: { ...detail, ...changes } }, ...answers });
  await screen.findByLabelText('Document');
  fireEvent.click(screen.getByRole('radio', { name }));
  return calls;
}
/** The texts that a screen reader announces. */
const spoken = () => [...document.querySelectorAll('[aria-live]')].map(({ textContent }) => textContent);
const tab = (name: string) => fireEvent.click(screen.getByRole('radio', { name }));

describe('TryPanel', () => {
  it('sends the values and the secret, and shows what was found', async () => {
    const calls = await show('Try', { 'POST /desk/try': { body: trial } });
    const form = within(screen.getByRole('form', { name: 'Try' }));
    expect(form.getByLabelText('API token').getAttribute('type')).toBe('password');
    expect(form.getByText('Used for this request only. It is not stored.')).toBeTruthy();
    fireEvent.change(form.getByLabelText('API token'), { target: { value: 's3cret' } });
    fireEvent.change(form.getByLabelText('Queue'), { target: { value: 'web' } });
    fireEvent.click(form.getByRole('button', { name: 'Request a page' }));
    await screen.findByText('7 records on this page');
    expect(calls.find(({ url }) => url.endsWith('/try'))?.body).toEqual({
      document: detail.document,
      entity: 'desk-tickets',
      config: {},
      secret: 's3cret',
      settings: { queue: 'web' },
    });
    expect(spoken()).toContain('Try read 7 records, 1 problem.');
    expect(screen.getByText('The first 1 of 7.')).toBeTruthy();
    tab('Next');
    expect(screen.getByText('This is the last page.')).toBeTruthy();
    tab('Request');
    expect(screen.getByText('GET https://desk.example.com/api/tickets')).toBeTruthy();
    tab('Answer');
    expect(screen.getByText('{"items":[]}')).toBeTruthy();
  });

  it('marks the fields of problems, and adds columns that it suggests', async () => {
    await show('Try', { 'POST /desk/try': { body: trial } });
    fireEvent.click(screen.getByRole('button', { name: 'Request a page' }));
    await screen.findByText('7 records on this page');
    expect(screen.getByLabelText('Date of a record').getAttribute('aria-invalid')).toBe('true');
    tab('Columns');
    fireEvent.click(screen.getByRole('button', { name: 'Add state' }));
    const text = screen.getByLabelText<HTMLTextAreaElement>('Document').value;
    expect((JSON.parse(text) as typeof DOCUMENT).entities[0]?.columns).toEqual({
      subject: { type: 'text', value: 'record.subject' },
      state: { type: 'text', value: 'record.state' },
    });
    expect(screen.queryByRole('button', { name: 'Add state' })).toBeNull();
  });

  it('says why a page could not be requested', async () => {
    const error = { code: 'too-many', message: 'You tried too often. Wait a minute.' };
    await show('Try', { 'POST /desk/try': { status: 429, body: { error } } });
    fireEvent.click(screen.getByRole('button', { name: 'Request a page' }));
    expect(await screen.findByText('You tried too often. Wait a minute.')).toBeTruthy();
  });
});

describe('ProvePanel', () => {
  it('leads to Try while nothing is recorded', async () => {
    await show('Prove', {});
    fireEvent.click(screen.getByRole('button', { name: 'Go to Try' }));
    expect(screen.getByRole('radio', { name: 'Try' }).getAttribute('aria-checked')).toBe('true');
  });

  it('lists the checks of each entity, failures first, and leads to the field', async () => {
    const check = { entity: 'desk-tickets', message: '', path: '' };
    const checks = [
      { ...check, title: 'All pages are read', outcome: 'passed' },
      { ...check, title: 'Later runs', outcome: 'not-applicable', message: 'Each run reads everything.' },
      { ...check, title: 'Next page', outcome: 'undecided', message: 'Not shown.' },
      { ...check, title: 'The order', outcome: 'failed', message: 'Not sorted.', path: 'entities.0.records' },
    ];
    const recordings = [{ entity: 'desk-tickets', records: 20, recordedAt: '2026-11-20T08:00:00.000Z' }];
    await show('Prove', { 'POST /desk/prove': { body: { checks, milliseconds: 900 } } }, { recordings });
    fireEvent.click(screen.getByRole('button', { name: 'Prove' }));
    const list = await screen.findByRole('list', { name: 'Checks of Tickets' });
    expect(
      within(list)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual([
      'Failed: The orderNot sorted.Go to field',
      'Undecided: Next pageNot shown.',
      'Passed: All pages are read',
      'Does not apply: Later runsEach run reads everything.',
    ]);
    expect(screen.getByText('1 failed, 1 undecided, 1 passed, 1 does not apply')).toBeTruthy();
    expect(spoken()).toContain('Proof: 1 failed, 1 undecided, 1 passed, 1 does not apply.');
    fireEvent.click(within(list).getByRole('button', { name: /^Go to field/ }));
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Records')));
  });
});
