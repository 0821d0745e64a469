import { type ApiToken, type CreateToken, createTokenSchema } from '@datadeck/contract';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { type Call, renderAs, serve } from '../../../test-support/render.tsx';
import { API_TOKEN } from '../../../test-support/token.ts';
import { ShareButton } from './share-button.tsx';
import type { Shared } from './shared-subject.ts';

const BOARD_ID = '0b1f3c5d-7e9f-4a1b-8c3d-5e7f9a1b3c5d';
const LINK: ApiToken = {
  ...API_TOKEN,
  name: 'Design team',
  scope: 'board',
  boardId: BOARD_ID,
  rowBudget: 500,
};
const BOARD: Shared = {
  kind: 'board',
  id: BOARD_ID,
  title: 'Team reviews',
  inputs: [
    { name: 'repo', type: 'text', default: null },
    { name: 'least', type: 'number', default: 3 },
  ],
  textOf: (name) => (name === 'repo' ? 'harbor' : ''),
  tiles: { views: 2, searches: 1 },
};
const PRODUCT = { signInProviders: [], sandbox: false, demo: true, passkeys: false, version: '1' };

interface Served {
  shared?: Partial<Shared>;
  links?: ApiToken[];
  mayChange?: boolean;
  isSharing?: boolean;
  sharePath?: string | null;
}

/** Shows the button, as a person with some links. @returns the calls */
function show({
  shared = {},
  links = [],
  mayChange = true,
  isSharing = true,
  sharePath = '/share/abc#secret',
}: Served = {}): Call[] {
  let stored = links;
  const calls = serve(({ method, url, body }) => {
    if (url.includes('/invitations')) return { body: [] };
    if (url === '/api/product') return { body: { ...PRODUCT, sharing: isSharing } };
    if (method === 'DELETE') {
      stored = stored.filter(({ _id }) => !url.endsWith(`/${_id}`));
      return { body: { ok: true } };
    }
    if (method === 'GET') return { body: stored };
    const { name, password, frameAncestors = [] } = body as CreateToken;
    const link = { ...LINK, _id: 'new', name, frameAncestors, hasPassword: password !== undefined };
    stored = [...stored, link];
    return { status: 201, body: { ...link, token: 'ddt_x', sharePath } };
  });
  renderAs({ mayChange }, <ShareButton shared={{ ...BOARD, ...shared }} />);
  return calls;
}

const button = async (name: string) => screen.findByRole<HTMLButtonElement>('button', { name });
const type = (label: string | RegExp, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
const leave = (label: string | RegExp) => fireEvent.blur(screen.getByLabelText(label));
const created = (calls: Call[]) => calls.find(({ method }) => method === 'POST')?.body as CreateToken;

async function openForm(served?: Served): Promise<Call[]> {
  const calls = show(served);
  fireEvent.click(await button('Share'));
  await screen.findByLabelText('Who gets the link');
  return calls;
}

async function create() {
  const submit = await button('Create link');
  await waitFor(() => expect(submit.disabled).toBe(false));
  fireEvent.click(submit);
  return screen.findByRole('dialog', { name: 'The link is ready' });
}

describe('ShareButton', () => {
  it('says when there is a link that opens', async () => {
    show({ links: [LINK, { ...LINK, _id: 'other', boardId: 'another board' }] });
    expect((await button('Shared')).title).toBe('1 link is open');
  });

  it('does not count links that have ended', async () => {
    const calls = show({ links: [{ ...LINK, expiresAt: '2026-01-01T00:00:00.000Z' }] });
    await waitFor(() => expect(calls).toHaveLength(3));
    expect(await button('Share')).toBeDefined();
  });

  it('is disabled for demo users, with the reason', async () => {
    show({ mayChange: false });
    const share = await button('Share');
    expect(share.disabled).toBe(true);
    expect(share.title).toBe('Not available on the demo plan');
  });

  it('is absent where sharing is off', async () => {
    show({ isSharing: false });
    await waitFor(() => expect(screen.queryByRole('button')).toBeNull());
  });
});

describe('the form of a new link', () => {
  it('says what the link opens, and what it leaves out', async () => {
    await openForm();
    const dialog = screen.getByRole('dialog', { name: 'Share' }).textContent;
    expect(dialog).toContain(
      'read and download all rows of the 2 views on this board, with the values below',
    );
    expect(dialog).toContain('Its search is left out.');
  });

  it('sends the name, the end and the values in use', async () => {
    const calls = await openForm();
    expect(screen.getByLabelText<HTMLInputElement>('$repo').value).toBe('harbor');
    type('Who gets the link', 'Design team');
    await create();
    const body = created(calls);
    expect(body).toEqual({
      name: 'Design team',
      scope: 'board',
      boardId: BOARD_ID,
      expiresInDays: 30,
      rowBudget: 1_000_000,
      parameters: '{"repo":"harbor"}',
    });
    expect(createTokenSchema.safeParse(body).success).toBe(true);
  });

  it('sends changed values, a password, a budget and the origins of sites', async () => {
    const calls = await openForm({ shared: { kind: 'view' } });
    type('Who gets the link', 'Wiki');
    type('Ends after', '1');
    type('$least', '5');
    leave('$least');
    type('Password', 'correct horse');
    type('Rows in all', '2,500');
    type(
      'Sites that may show it in a frame',
      'https://wiki.example.org/team/page\n\n http://localhost:8080 ',
    );
    await create();
    expect(created(calls)).toMatchObject({
      scope: 'view',
      viewId: BOARD_ID,
      expiresInDays: 1,
      parameters: '{"repo":"harbor","least":5}',
      password: 'correct horse',
      rowBudget: 2500,
      frameAncestors: ['https://wiki.example.org', 'http://localhost:8080'],
    });
  });

  it.each([
    ['Who gets the link', ' ', 'Required'],
    ['Password', 'short', 'Must be 8 characters or more'],
    ['Rows in all', 'many', 'Must be a whole number, 1 or more'],
    ['Rows in all', '', 'Must be a whole number, 1 or more'],
    ['Sites that may show it in a frame', 'wiki', 'wiki: Must be the address of a site'],
    ['$least', 'three', 'number'],
  ])('refuses for %s the value "%s"', async (label, value, message) => {
    const calls = await openForm();
    type('Who gets the link', 'Design team');
    type(label, value);
    leave(label);
    expect(await screen.findByText(new RegExp(message))).toBeDefined();
    expect((await button('Create link')).disabled).toBe(true);
    expect(created(calls)).toBeUndefined();
  });

  it('shows and hides the password', async () => {
    await openForm();
    fireEvent.click(screen.getByRole('button', { name: 'Show the password' }));
    expect(screen.getByLabelText<HTMLInputElement>('Password').type).toBe('text');
    fireEvent.click(screen.getByRole('button', { name: 'Hide the password' }));
    expect(screen.getByLabelText<HTMLInputElement>('Password').type).toBe('password');
  });
});

describe('a new link', () => {
  it('is shown once, with its page and the code for a frame', async () => {
    await openForm();
    type('Who gets the link', 'Wiki');
    type('Password', 'correct horse');
    type('Sites that may show it in a frame', 'https://wiki.example.org');
    const dialog = within(await create());
    const link = `${location.origin}/share/abc#secret`;
    expect(dialog.getByLabelText<HTMLInputElement>('Link').value).toBe(link);
    expect(dialog.getByRole('link', { name: 'Open in a new tab' })).toMatchObject({ href: link });
    expect(dialog.getByText(/Readers also need the password/)).toBeDefined();
    expect(dialog.getByRole('region', { name: 'Code for the frame' }).textContent).toContain(
      `<iframe src="${link}" title="Team reviews"`,
    );
    fireEvent.click(dialog.getByRole('button', { name: 'Done' }));
    fireEvent.click(await button('Shared'));
    expect(await screen.findByRole('list', { name: 'Links' })).toBeDefined();
    expect(screen.queryByDisplayValue(link)).toBeNull();
  });

  it('says when sharing was turned off in between', async () => {
    await openForm({ sharePath: null });
    type('Who gets the link', 'Design team');
    fireEvent.click(await button('Create link'));
    expect(await screen.findByText(/turned sharing off/)).toBeDefined();
  });
});

describe('the links', () => {
  const past = '2026-01-01T00:00:00.000Z';
  const links = [
    { ...LINK, _id: 'old', name: 'Old', expiresAt: past },
    {
      ...LINK,
      hasPassword: true,
      rowsUsed: 120,
      parameters: '{"repo":"harbor"}',
      frameAncestors: ['https://wiki.example.org'],
      lastUsedAt: new Date().toISOString(),
    },
  ];

  it('have their end, rows, values and marks; those that open come first', async () => {
    show({ links });
    fireEvent.click(await button('Shared'));
    const lines = within(await screen.findByRole('list', { name: 'Links' })).getAllByRole('listitem');
    const [first = '', last = ''] = lines.map(({ textContent }) => textContent ?? '');
    for (const part of [
      'Design team',
      'Password',
      'repo = harbor',
      'Ends Jan 01, 2100',
      'Last opened just now',
    ])
      expect(first).toContain(part);
    expect(first).toContain('120 of 500 rows read');
    expect(first).toContain('In frames of https://wiki.example.org');
    expect(last).toContain('Old');
    expect(last).toContain('Ended Jan 01, 2026');
    expect(last).toContain('Never opened');
  });

  it('are ended after a confirmation', async () => {
    const calls = show({ links: [LINK] });
    fireEvent.click(await button('Shared'));
    fireEvent.click(await button('End the link for Design team'));
    fireEvent.click(await button('Confirm'));
    expect(await screen.findByText('The link for Design team has ended')).toBeDefined();
    expect(calls.find(({ method }) => method === 'DELETE')?.url).toBe('/api/accounts/tokens/t');
    expect(await screen.findByText('There is no link to this board any more.')).toBeDefined();
    fireEvent.click(await button('New link'));
    expect(await screen.findByLabelText('Who gets the link')).toBeDefined();
  });

  it('return from the form of a further one', async () => {
    show({ links: [LINK] });
    fireEvent.click(await button('Shared'));
    fireEvent.click(await button('New link'));
    fireEvent.click(await button('Back to the links'));
    expect(await screen.findByText('Design team')).toBeDefined();
  });
});
