import type { Attachments, RecordReading } from '@datadeck/contract';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { open } from '../../../test-support/pages.tsx';
import { serve } from '../../../test-support/render.tsx';
import { extensionOf } from './attachment-list.tsx';
import { ReadingContent } from './reading-content.tsx';

const PDF = { name: 'invoice.pdf', mimeType: 'application/pdf', size: 48_213 };
const file = (name: string, size: number | null = 1) => ({ name, mimeType: 'image/png', size });
let click: ReturnType<typeof vi.spyOn>;

function show(attachments: Partial<Attachments>): void {
  const reading: RecordReading = {
    providerId: 'google',
    entityLabel: 'gmail-messages',
    account: 'ada@example.org',
    recordId: 'a/b',
    title: 'Invoice',
    occurredAt: '2026-11-24T16:20:00.000Z',
    facts: [{ title: 'Attachments', values: ['invoice.pdf (49 kB)'] }],
    text: 'Hello',
    textFormat: 'plain',
    html: null,
    isCutOff: false,
    url: null,
    attachments: { files: [PDF], isCutOff: false, access: 'available', ...attachments },
  };
  open('/search', <ReadingContent reading={reading} alsoIn={[]} />);
}

beforeEach(() => {
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => {} }));
  click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
});
afterEach(() => click.mockRestore());

const list = () => screen.getByRole('region', { name: 'Attachments' });
const buttonOf = (name: string) =>
  within(list()).getByRole('button', { name: new RegExp(`^Save .*${name} `) });

describe('the files of a mail', () => {
  it('are listed once, with size and type, and saved under their names', async () => {
    const calls = serve(() => ({ body: 'bytes' }));
    show({ files: [PDF, file('a.png')] });
    expect(screen.getAllByText(/invoice\.pdf/)).toHaveLength(1);
    expect(list().textContent).toContain('PDF invoice.pdf 48 kB');
    expect(list().textContent).toContain('2 attachments');

    fireEvent.click(buttonOf('a.png'));
    await waitFor(() => expect(click).toHaveBeenCalledOnce());
    expect((click.mock.contexts[0] as HTMLAnchorElement).download).toBe('a.png');
    const path = '/api/data/records/google/gmail-messages/attachment';
    expect(calls.map(({ url }) => url)).toEqual([`${path}?record=a%2Fb&account=ada%40example.org&index=1`]);
  });

  it.each([
    [410, { code: 'mail-gone', message: 'Gmail no longer has this mail.' }, /no longer has this mail/, false],
    [409, { code: 'not-connected', message: 'Gmail is not connected.' }, /not connected/, true],
    [
      429,
      { code: 'rate-limited', message: 'Gmail asks to wait.', retryAfter: 90 },
      /Try again in 1 min 30 s/,
      false,
    ],
  ])(
    'say beside the file why it was not saved (%d), and can be tried again',
    async (status, error, said, leads) => {
      let answer: { status?: number; body: unknown } = { status, body: { error } };
      serve(() => answer);
      show({});
      fireEvent.click(buttonOf('invoice.pdf'));
      const alert = await within(list()).findByRole('alert');
      expect(alert.textContent).toMatch(said);
      expect(within(alert).queryByRole('link', { name: 'Open Providers' }) !== null).toBe(leads);
      expect(click).not.toHaveBeenCalled();

      answer = { body: 'bytes' };
      fireEvent.click(buttonOf('invoice.pdf'));
      await waitFor(() => expect(click).toHaveBeenCalledOnce());
      expect(within(list()).queryByRole('alert')).toBeNull();
    },
  );

  it.each([
    ['disconnected', /is disconnected/],
    ['reconnect-needed', /no longer grants access/],
  ] as const)('are a sentence instead of buttons when the account is %s', (access, said) => {
    show({ access });
    expect(within(list()).queryByRole('button')).toBeNull();
    expect(within(list()).getByRole('note').textContent).toMatch(said);
    within(list()).getByRole('link', { name: /under Providers/ });
    within(list()).getByText('invoice.pdf');
  });

  it('are shown in two steps when there are many', () => {
    show({ files: Array.from({ length: 200 }, (_, at) => file(`${at}.png`, null)), isCutOff: true });
    expect(list().textContent).toContain('The first 200 attachments');
    expect(within(list()).getAllByRole('button', { name: /^Save/ })).toHaveLength(6);
    fireEvent.click(within(list()).getByRole('button', { name: 'Show 194 more files' }));
    expect(within(list()).getAllByRole('button', { name: /^Save/ })).toHaveLength(200);
  });

  it('are fetched no more once the mail is closed', async () => {
    const signals: AbortSignal[] = [];
    vi.stubGlobal('fetch', (_url: string, { signal }: { signal: AbortSignal }) => {
      signals.push(signal);
      return new Promise(() => {});
    });
    show({});
    fireEvent.click(buttonOf('invoice.pdf'));
    fireEvent.click(within(list()).getByRole('button', { name: /^Fetching/ }));
    await waitFor(() => expect(signals).toHaveLength(1));
    const { cleanup } = await import('@testing-library/react');
    cleanup();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });
});

it.each([
  ['a.pdf', 'PDF'],
  ['a.tar.gz', 'GZ'],
  ['invoice.pdf.exe', 'EXE'],
  ['README', undefined],
  ['a.', undefined],
  ['a.toolong', undefined],
])('the type of %s is %s', (name, extension) => {
  expect(extensionOf(name)).toBe(extension);
});
