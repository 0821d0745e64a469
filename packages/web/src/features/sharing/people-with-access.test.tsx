import type { CreateInvitation, Invitation } from '@datadeck/contract';
import { fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { INVITATION } from '../../../test-support/invitation.ts';
import { type Call, renderAs, serve } from '../../../test-support/render.tsx';
import { refusal } from '../../../test-support/share.ts';
import { ShareButton } from './share-button.tsx';

const PRODUCT = { signInProviders: [], sandbox: false, demo: true, passkeys: false, sharing: true };
const ACCEPTED: Invitation = {
  ...INVITATION,
  _id: '8b9dc1d3-5e7f-4b9c-9c3d-4f6b8e0c2ea4',
  parameters: '{"repo":"harbor"}',
  member: { name: 'Jonas', email: 'jonas@example.org' },
  acceptedAt: new Date().toISOString(),
};
const PATH = '/dashboard/shared/invitation#abc.def';

/** Opens the dialog of a board. @returns the calls */
async function show(invitations: Invitation[] = [], failure?: ReturnType<typeof refusal>): Promise<Call[]> {
  let stored = invitations;
  const calls = serve(({ method, url, body }) => {
    if (url === '/api/product') return { body: { ...PRODUCT, version: '1' } };
    if (!url.includes('/invitations')) return { body: [] };
    if (method === 'DELETE') {
      stored = stored.filter(({ _id }) => !url.endsWith(_id));
      return { body: { ok: true } };
    }
    if (method === 'GET') return { body: stored };
    if (failure) return failure;
    const { parameters = null } = body as CreateInvitation;
    const created = { ...INVITATION, parameters };
    stored = [created, ...stored];
    return { status: 201, body: { ...created, path: PATH } };
  });
  const shared = {
    kind: 'board' as const,
    id: INVITATION.boardId ?? '',
    title: 'Team reviews',
    inputs: [{ name: 'repo', type: 'text' as const, default: null }],
    textOf: () => 'harbor',
    tiles: { views: 2, searches: 1 },
  };
  renderAs({ mayChange: true }, <ShareButton shared={shared} />);
  fireEvent.click(await button(invitations.length > 0 ? 'Shared' : 'Share'));
  fireEvent.click(await screen.findByRole('radio', { name: 'People with an account' }));
  return calls;
}

const button = async (name: string) => screen.findByRole<HTMLButtonElement>('button', { name });
const lines = async () =>
  within(await screen.findByRole('region', { name: 'Invited people' })).getAllByRole('listitem');

describe('the people with access', () => {
  it('are invited by a link that is shown once, with the fixed values', async () => {
    const calls = await show();
    expect(await screen.findByText(/You see who accepts\./)).toBeDefined();
    expect(screen.getByText('Its search is left out.')).toBeDefined();
    fireEvent.click(await button('Create invitation'));
    const link = await screen.findByLabelText<HTMLInputElement>('Link of the invitation');
    expect(link.value).toBe(location.origin + PATH);
    expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({
      boardId: INVITATION.boardId,
      parameters: '{"repo":"harbor"}',
    });
    expect((await lines())[0]?.textContent).toContain('Nobody yet');
    const writeText = vi.fn(async () => undefined);
    vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText } });
    fireEvent.click(await button('Copy link'));
    expect(await button('Copied')).toBeDefined();
    expect(writeText).toHaveBeenCalledWith(location.origin + PATH);
    fireEvent.click(await button('New invitation'));
    expect(await button('Create invitation')).toBeDefined();
  });

  it('are listed with name, address and values; others are pending', async () => {
    await show([INVITATION, ACCEPTED]);
    const [pending = '', accepted = ''] = (await lines()).map(({ textContent }) => textContent ?? '');
    expect(pending).toContain('Nobody yet');
    expect(pending).toContain('Can be accepted until Jan 01, 2100');
    for (const part of ['Jonas (jonas@example.org)', 'repo = harbor', 'Accepted just now'])
      expect(accepted).toContain(part);
  });

  it('lose access after a question', async () => {
    const calls = await show([ACCEPTED]);
    fireEvent.click(await button('Take back from Jonas'));
    expect(await screen.findByText(/Jonas loses access at once/)).toBeDefined();
    fireEvent.click(await button('Confirm'));
    expect(await screen.findByText('Jonas has no access any more')).toBeDefined();
    const deleted = calls.find(({ method }) => method === 'DELETE');
    expect(deleted?.url).toBe(`/api/data/invitations/${ACCEPTED._id}`);
  });

  it('need no question while nobody has accepted', async () => {
    await show([INVITATION]);
    fireEvent.click(await button('Take back the invitation'));
    expect(await screen.findByText('The invitation was taken back')).toBeDefined();
  });

  it('are not invited when the server refuses', async () => {
    await show([], refusal(409, 'limit-reached'));
    fireEvent.click(await button('Create invitation'));
    expect((await screen.findByRole('alert')).textContent).toContain('The message of limit-reached.');
  });
});
