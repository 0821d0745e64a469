import type { InvitationPreview } from '@datadeck/contract';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { MemoryRouter, Route, Routes } from 'react-router';
import { describe, expect, it } from 'vitest';
import { PREVIEW, SHARED_ID, SHARED_WITH_ME } from '../../../test-support/invitation.ts';
import { type Call, renderAs, serve } from '../../../test-support/render.tsx';
import { refusal } from '../../../test-support/share.ts';
import { InvitationPage } from './invitation-page.tsx';

const LINK = { invitation: 'abc', secret: 'd-f_' };

interface Shown {
  hash?: string;
  mayChange?: boolean;
  preview?: Partial<InvitationPreview> | ReturnType<typeof refusal>;
  acceptance?: ReturnType<typeof refusal>;
}

/** Opens the link of an invitation. @returns the calls */
function show({ hash = '#abc.d-f_', mayChange = true, preview = {}, acceptance }: Shown = {}): Call[] {
  const calls = serve(({ url }) => {
    if (url.endsWith('/accept')) return acceptance ?? { body: SHARED_WITH_ME };
    return 'status' in preview ? preview : { body: { ...PREVIEW, ...preview } };
  });
  renderAs(
    { mayChange },
    <MemoryRouter initialEntries={[`/dashboard/shared/invitation${hash}`]}>
      <Routes>
        <Route path="/dashboard/shared/invitation" element={<InvitationPage />} />
        <Route path={`/dashboard/shared/${SHARED_ID}`} element="The shared page" />
      </Routes>
    </MemoryRouter>,
  );
  return calls;
}

const heading = (name: string) => screen.findByRole('heading', { level: 1, name });
const accept = async () => screen.findByRole<HTMLButtonElement>('button', { name: 'Accept' });

describe('the screen of an invitation', () => {
  it('says who invites to what, accepts it, and opens it', async () => {
    const calls = show();
    expect(await heading('You are invited to the board ‘Team reviews’')).toBeDefined();
    expect(screen.getByText('ada@example.org')).toBeDefined();
    fireEvent.click(await accept());
    expect(await screen.findByText('The shared page')).toBeDefined();
    // The secret is in no address.
    expect(calls.every(({ method }) => method === 'POST')).toBe(true);
    expect(calls.map(({ body }) => body)).toEqual(calls.map(() => LINK));
    expect(calls.some(({ url }) => url.includes(LINK.secret))).toBe(false);
  });

  it('marks an address that nobody has verified', async () => {
    show({ preview: { owner: { name: 'Ada', email: 'ada@example.org', isUnverified: true } } });
    expect(await screen.findByText(/address not verified/)).toBeDefined();
  });

  it('lets demo users sign in with an account instead', async () => {
    show({ mayChange: false });
    expect((await accept()).disabled).toBe(true);
    expect(screen.getByText(/^Demo users cannot accept invitations/)).toBeDefined();
    expect(screen.getByRole('button', { name: 'Sign in with an account' })).toBeDefined();
  });

  it('shows why it could not be accepted', async () => {
    show({ acceptance: refusal(409, 'limit-reached') });
    fireEvent.click(await accept());
    expect((await screen.findByRole('alert')).textContent).toContain('The message of limit-reached.');
  });

  it.each<[string, Shown['preview'], string]>([
    ['has ended', refusal(404, 'share-ended'), 'This invitation is not valid any more'],
    ['comes while sharing is off', refusal(403, 'sharing-off'), 'Sharing is turned off'],
    ['is the own one', { state: 'own' }, 'This is your own invitation'],
    ['was accepted', { state: 'accepted' }, 'You have accepted this invitation'],
  ])('says so when it %s', async (_name, preview, title) => {
    show({ preview: preview as Shown['preview'] & object });
    expect(await heading(title)).toBeDefined();
    expect(screen.queryByRole('button')).toBeNull();
  });

  it.each(['', '#', '#abc', '#abc.', '#.d', '#abc.d f', `#${'a'.repeat(101)}.d`])(
    'asks for nothing when the link is not complete: %s',
    async (hash) => {
      const calls = show({ hash });
      expect(await heading('This link is not complete')).toBeDefined();
      await waitFor(() => expect(calls).toEqual([]));
    },
  );

  it('is opened again after a failure', async () => {
    show({ preview: refusal(500, 'internal') });
    expect(await screen.findByText('The invitation could not be opened.')).toBeDefined();
    expect(screen.getByRole('button', { name: 'Try again' })).toBeDefined();
  });
});
