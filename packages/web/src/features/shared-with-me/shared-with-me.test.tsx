import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { MemoryRouter, Route, Routes, useLocation } from 'react-router';
import { describe, expect, it } from 'vitest';
import { SHARED_ID, SHARED_WITH_ME } from '../../../test-support/invitation.ts';
import { type Call, renderAs, serve } from '../../../test-support/render.tsx';
import { refusal, SHARED_BOARD } from '../../../test-support/share.ts';
import { SharedListPage } from './shared-list-page.tsx';
import { SharedThingPage } from './shared-thing-page.tsx';

const SESSION = { session: 'dds_x', expiresAt: '2100-01-01T00:00:00.000Z' };
const PAGE = { ...SHARED_BOARD, tiles: SHARED_BOARD.tiles.slice(0, 1), expiresAt: null };

function Address() {
  const { pathname, search } = useLocation();
  return <output aria-label="Address">{pathname + search}</output>;
}

interface Served {
  at?: string;
  count?: number;
  details?: ReturnType<typeof refusal>;
  copy?: { status?: number; body: unknown };
}

/** Opens a screen of what is shared. @returns the calls */
function show({ at = '', count = 1, details, copy }: Served = {}): Call[] {
  let left = count;
  const calls = serve(({ method, url }) => {
    if (url === '/api/share') return { body: PAGE };
    if (url.endsWith('/sessions')) return { status: 201, body: SESSION };
    if (url.endsWith('/copy'))
      return copy ?? { status: 201, body: { kind: 'board', _id: 'new', title: 'Team reviews', views: 2 } };
    if (method === 'DELETE') {
      left = 0;
      return { body: { ok: true } };
    }
    if (url.endsWith(SHARED_ID)) return details ?? { body: SHARED_WITH_ME };
    return { body: { results: left > 0 ? [SHARED_WITH_ME] : [], count: left } };
  });
  renderAs(
    { mayChange: true },
    <MemoryRouter initialEntries={[`/dashboard/shared${at}`]}>
      <Routes>
        <Route path="/dashboard/shared" element={<SharedListPage />} />
        <Route path="/dashboard/shared/:sharedId" element={<SharedThingPage />} />
        <Route path="*" element="Elsewhere" />
      </Routes>
      <Address />
    </MemoryRouter>,
  );
  return calls;
}

const THING = { at: `/${SHARED_ID}` };
const click = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }));
const address = () => screen.getByLabelText('Address').textContent;

describe('the list of what is shared with the user', () => {
  it('names the owners, and leads to the pages', async () => {
    show();
    const list = within(await screen.findByRole('list', { name: 'Shared with me' }));
    expect(list.getByRole('listitem').textContent).toContain('Board of Ada (ada@example.org)');
    fireEvent.click(list.getByRole('link', { name: 'Team reviews' }));
    await waitFor(() => expect(address()).toBe(`/dashboard/shared/${SHARED_ID}`));
  });

  it('says what to do when it is empty', async () => {
    show({ count: 0 });
    expect(await screen.findByText('Nothing is shared with you')).toBeDefined();
  });

  it('is left after a question', async () => {
    const calls = show();
    await click('Leave Team reviews');
    expect(await screen.findByText(/Copies that you made stay\./)).toBeDefined();
    await click('Confirm');
    expect(await screen.findByText('Nothing is shared with you')).toBeDefined();
    expect(calls.some(({ method, url }) => method === 'DELETE' && url.endsWith(SHARED_ID))).toBe(true);
  });
});

describe('something shared with the user', () => {
  it('is shown read-only by a session of its own', async () => {
    const calls = show(THING);
    expect(await screen.findByRole('heading', { level: 1, name: 'Team reviews' })).toBeDefined();
    expect(screen.getByText(/shares this board with you\./)).toBeDefined();
    const opened = calls.find(({ url }) => url.endsWith('/sessions'));
    expect(opened).toMatchObject({ method: 'POST', url: `/api/data/shared/${SHARED_ID}/sessions` });
  });

  it('is copied, and the copy opens', async () => {
    show(THING);
    await click('Copy to my workspace');
    const dialog = within(await screen.findByRole('dialog', { name: 'Copy the board' }));
    expect(dialog.getByText(/credentials of Ada/)).toBeDefined();
    fireEvent.click(dialog.getByRole('button', { name: 'Copy to my workspace' }));
    await waitFor(() => expect(address()).toBe('/dashboard/data/boards?board=new'));
    expect(await screen.findByText('‘Team reviews’ was copied')).toBeDefined();
  });

  it('is not copied when a limit is reached', async () => {
    show({ ...THING, copy: refusal(409, 'limit-reached') });
    await click('Copy to my workspace');
    const dialog = within(await screen.findByRole('dialog', { name: 'Copy the board' }));
    fireEvent.click(dialog.getByRole('button', { name: 'Copy to my workspace' }));
    expect((await dialog.findByRole('alert')).textContent).toContain('The message of limit-reached.');
  });

  it('leads back to the list when the user leaves', async () => {
    show(THING);
    await click('Leave');
    await click('Confirm');
    await waitFor(() => expect(address()).toBe('/dashboard/shared'));
  });

  it.each([
    [404, 'not-found', /may have taken it back/],
    [403, 'sharing-off', /has turned off sharing/],
  ])('says when it is not shared any more: %i %s', async (status, code, text) => {
    show({ ...THING, details: refusal(status, code) });
    expect(await screen.findByText(text)).toBeDefined();
  });
});
