import type { ConversationMail } from '@datadeck/contract';
import { fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { open } from '../../../test-support/pages.tsx';
import { type Call, serve } from '../../../test-support/render.tsx';
import { RecordReadingDialog } from './record-reading-dialog.tsx';

const mailOf = (recordId: string, day: number): ConversationMail => ({
  recordId,
  sender: `Sender ${recordId}`,
  excerpt: `First words of ${recordId}`,
  occurredAt: `2026-11-0${day}T09:30:00.000Z`,
  isUnread: false,
  fileCount: 0,
});
const conversation = {
  mails: [mailOf('c', 3), mailOf('b', 2), mailOf('a', 1)],
  isCutOff: false,
  unindexed: 0,
};

function readingOf({ url }: Call) {
  const id = new URL(url, 'http://x').searchParams.get('record');
  const texts = { title: 'Quokka', text: `Text of ${id}`, textFormat: 'plain', html: null };
  const about = { providerId: 'google', entityLabel: 'gmail-messages', account: 'ada@example.org' };
  return { ...about, recordId: id, occurredAt: '', facts: [], ...texts, isCutOff: false, url: null };
}

/** Opens a mail of a conversation, or of what the server answers instead. @returns its requests */
function openMail(recordId: string, answer: { status?: number; body: unknown } = { body: conversation }) {
  const calls = serve((call) => (call.url.includes('/conversation?') ? answer : { body: readingOf(call) }));
  open(
    '/search',
    <RecordReadingDialog
      {...{ providerId: 'google', entityLabel: 'gmail-messages', recordId }}
      {...{ knownTitle: 'Quokka', providerTitle: 'Gmail', entityTitle: 'Messages' }}
      accountOf={() => undefined}
      onPrevious={undefined}
      onNext={undefined}
      onClose={vi.fn()}
    />,
  );
  return calls;
}

Element.prototype.scrollIntoView = vi.fn();

describe('the conversation of an opened mail', () => {
  it('shows the opened and the newest mail, and unfolds the others on request', async () => {
    const calls = openMail('b');
    const list = await screen.findByRole('list', { name: 'Conversation' });
    await screen.findByText('Text of b');
    await screen.findByText('Text of c');
    within(list).getByText('First words of a');
    expect(screen.queryByText('Text of a')).toBeNull();
    expect(calls.filter(({ url }) => url.includes('record=a'))).toEqual([]);

    const head = within(list).getByRole('button', { name: /Sender a/ });
    expect(head.getAttribute('aria-expanded')).toBe('false');
    fireEvent.click(head);
    await screen.findByText('Text of a');
    expect(screen.queryByText('First words of a')).toBeNull();
    fireEvent.click(head);
    expect(screen.queryByText('Text of a')).toBeNull();
  });

  it('is left out for a mail that is alone', async () => {
    openMail('a', { body: { mails: [mailOf('a', 1)], isCutOff: false, unindexed: 0 } });
    await screen.findByText('Text of a');
    expect(screen.queryByRole('list', { name: 'Conversation' })).toBeNull();
  });

  it('says which mails are missing', async () => {
    openMail('a', { body: { ...conversation, isCutOff: true, unindexed: 7 } });
    await screen.findByText(/has more mails/);
    screen.getByText(/7 records are still being indexed/);
  });

  it('shows the mail alone when its conversation cannot be loaded', async () => {
    openMail('a', { status: 500, body: { error: { code: 'internal', message: 'No' } } });
    await screen.findByText('Text of a');
    screen.getByText(/other mails of the conversation could not be loaded/);
  });
});
