import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { DOCUMENT, detail, openConnectors } from '../../../test-support/connectors.tsx';
import type { DocumentEditorProps } from './document/document-editor.tsx';

vi.mock('./document/document-editor.tsx', () => ({
  default: ({ text }: DocumentEditorProps) => <textarea aria-label="Document" readOnly value={text} />,
}));

const title = () => screen.getAllByLabelText<HTMLInputElement>('Title')[0]?.value;
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const confirm = async () => fireEvent.click(await screen.findByRole('button', { name: 'Confirm' }));

/** The draft that Ada saved after this page had loaded the one before. */
const ofAda = {
  ...detail,
  document: JSON.stringify({ ...DOCUMENT, title: 'Of Ada' }),
  draftAt: '2026-11-20T09:30:00.000Z',
  changedAt: '2026-11-20T09:30:00.000Z',
  changedBy: 'Ada Nowak',
};

/** Edits the title, and saves it after another administrator has saved. */
async function saveTooLate(other: Partial<typeof detail> = {}) {
  const answers: Parameters<typeof openConnectors>[1] = {
    'GET /desk': { body: detail },
    'PUT /desk/draft': {
      status: 409,
      body: { error: { code: 'draft-outdated', message: 'Nothing was saved.' } },
    },
  };
  const calls = openConnectors('/desk', answers);
  await screen.findByLabelText('Document');
  const [box] = screen.getAllByLabelText('Title');
  if (box) fireEvent.change(box, { target: { value: 'Of mine' } });
  answers['GET /desk'] = { body: { ...ofAda, ...other } };
  fireEvent.keyDown(window, { key: 's', ctrlKey: true });
  await screen.findByRole('button', { name: 'Load the other text' });
  return { answers, saves: () => calls.filter(({ method }) => method === 'PUT').map(({ body }) => body) };
}

describe('a draft that another administrator saved first', () => {
  it('keeps the text of the second, and says who saved when', async () => {
    const { saves } = await saveTooLate();
    expect(saves()).toMatchObject([{ changedAt: detail.changedAt }]);
    expect(screen.getByText('Ada Nowak').parentElement?.textContent).toMatch(
      /^Ada Nowak saved another draft .+, while you edited this one\./,
    );
    expect(title()).toBe('Of mine');
    expect(screen.getByText('Unsaved changes')).toBeTruthy();
  });

  it('says that it was published or discarded', async () => {
    await saveTooLate({ draftAt: null, version: 3 });
    expect(screen.getByText(/published version 3/)).toBeTruthy();
  });

  it('says that it was discarded', async () => {
    await saveTooLate({ draftAt: null, changedAt: detail.publishedAt ?? '' });
    expect(screen.getByText(/The draft was discarded, while you edited it/)).toBeTruthy();
  });

  it('is loaded instead', async () => {
    await saveTooLate();
    press('Load the other text');
    await confirm();
    await waitFor(() => expect(title()).toBe('Of Ada'));
    expect(screen.queryByRole('button', { name: 'Load the other text' })).toBeNull();
    expect(screen.queryByText('Unsaved changes')).toBeNull();
  });

  it('is overwritten by choice', async () => {
    const { answers, saves } = await saveTooLate();
    const draftAt = '2026-11-20T09:40:00.000Z';
    answers['PUT /desk/draft'] = { body: { problems: [], draftAt } };
    answers['GET /desk'] = {
      body: {
        ...ofAda,
        document: JSON.stringify({ ...DOCUMENT, title: 'Of mine' }, null, 2),
        draftAt,
        changedAt: draftAt,
      },
    };
    press('Overwrite it with mine');
    await confirm();
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Load the other text' })).toBeNull());
    expect(saves()[1]).toMatchObject({ changedAt: ofAda.changedAt });
    expect(title()).toBe('Of mine');
  });
});

describe('a draft that another administrator saved before this one ends it', () => {
  const REFUSED = {
    status: 409,
    body: {
      error: { code: 'draft-outdated', message: 'The draft was changed elsewhere. Nothing was done.' },
    },
  };

  /** Opens a draft, and publishes or discards it after another administrator has saved. */
  async function endTooLate(end: 'Publish' | 'Discard draft') {
    const answers: Parameters<typeof openConnectors>[1] = {
      'GET /desk': { body: detail },
      'POST /desk/publish': REFUSED,
      'DELETE /desk/draft': REFUSED,
    };
    const calls = openConnectors('/desk', answers);
    await screen.findByLabelText('Document');
    answers['GET /desk'] = { body: ofAda };
    if (end === 'Publish') press('Publish');
    else {
      fireEvent.keyDown(screen.getByRole('button', { name: 'More actions' }), { key: 'Enter' });
      fireEvent.click(await screen.findByRole('menuitem', { name: end }));
    }
    await confirm();
    await screen.findByRole('button', { name: 'Load the other text' });
    return calls.filter(({ method }) => method !== 'GET');
  }

  it.each(['Publish', 'Discard draft'] as const)('is kept as it was read: %s', async (end) => {
    const calls = await endTooLate(end);
    const seen = end === 'Publish' ? calls[0]?.body : new URL(calls[0]?.url ?? '', 'http://a').searchParams;
    expect(seen instanceof URLSearchParams ? Object.fromEntries(seen) : seen).toEqual({
      changedAt: detail.changedAt,
    });
    expect(screen.getByText('Ada Nowak').parentElement?.textContent).toMatch(
      /^Ada Nowak saved another draft .+, after this page was loaded\. Nothing was published or discarded\./,
    );
    expect(title()).toBe(DOCUMENT.title);
    expect(screen.queryByRole('button', { name: 'Overwrite it with mine' })).toBeNull();

    press('Load the other text');
    await waitFor(() => expect(title()).toBe('Of Ada'));
    expect(screen.queryByRole('button', { name: 'Load the other text' })).toBeNull();
  });
});
