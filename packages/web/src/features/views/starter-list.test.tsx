import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { renderAs, serve } from '../../../test-support/render.tsx';
import { VIEW, WIRE_VIEW } from '../../../test-support/view.ts';
import type { Provider } from '../../api/models.ts';
import { StarterList } from './starter-list.tsx';

const github: Provider = {
  id: 'github',
  key: 'github',
  title: 'GitHub',
  description: '',
  entities: [{ id: 'gh-pulls', title: 'Pull requests' }],
  isConnected: true,
  connection: null,
  accounts: [],
};
const mailsOf = (key: string, title: string) => ({ ...github, id: key, key, title });
const PROVIDERS = [github, mailsOf('google', 'Gmail'), mailsOf('imap', 'IMAP')];
const TITLES = ['Waiting for me', 'Mails about this pull request', 'People'];

interface Shown {
  mayChange?: boolean;
  entity?: string;
  views?: readonly (typeof VIEW)[];
  connected?: readonly string[];
}

function show({ mayChange = true, entity = '', views = [], connected = ['github'] }: Shown = {}) {
  const providers = PROVIDERS.map((one) => ({ ...one, isConnected: connected.includes(one.key) }));
  const onCreated = vi.fn();
  renderAs(
    { mayChange },
    <StarterList providers={providers} views={views} entity={entity} onCreated={onCreated} />,
  );
  return onCreated;
}
const offered = () => TITLES.filter((title) => screen.queryByText(title) !== null);

describe('ready-made views', () => {
  it('are offered for the chosen entity, unless a view has their title', () => {
    show({ views: [{ ...VIEW, title: 'People' }] });
    expect(offered()).toEqual(TITLES.slice(0, 2));
  });

  it('are those that read the chosen entity', () => {
    show({ entity: 'gh-commits' });
    expect(offered()).toEqual(['People']);
  });

  it('are not offered to users who may not create views', () => {
    show({ mayChange: false });
    expect(offered()).toEqual([]);
  });

  const save = () => screen.getByRole('button', { name: 'Save' });

  it('are saved over what is connected, and say what else to connect first', async () => {
    const calls = serve(() => ({ status: 201, body: { ...WIRE_VIEW, _id: 'new' } }));
    const onCreated = show();
    fireEvent.click(screen.getByText('Waiting for me'));
    expect(screen.getByText(/Connect Gmail or IMAP first to have that in the view, too/)).toBeTruthy();
    fireEvent.click(save());
    await waitFor(() => expect(onCreated).toHaveBeenCalledWith(expect.objectContaining({ id: 'new' })));
    expect(calls[0]?.body).toMatchObject({
      title: 'Waiting for me',
      providerId: 'github',
      templateKey: 'pulls-waiting',
      bases: [{ name: 'reviews' }],
    });
  });

  it('read the mails of each connected provider that has some', async () => {
    const calls = serve(() => ({ status: 201, body: { ...WIRE_VIEW, _id: 'new' } }));
    show({ connected: ['github', 'google', 'imap'] });
    fireEvent.click(screen.getByText('People'));
    expect(screen.queryByText(/^Connect /)).toBeNull();
    fireEvent.click(save());
    await waitFor(() => expect(calls).toHaveLength(1));
    const bases = [{ name: 'commits' }, { entityLabel: 'gmail-messages' }, { entityLabel: 'imap-messages' }];
    expect(calls[0]?.body).toMatchObject({ title: 'People', bases });
  });

  it('cannot be saved before what they need is connected', () => {
    show();
    fireEvent.click(screen.getByText('People'));
    expect(screen.getByText(/^Connect Gmail or IMAP first: /)).toBeTruthy();
    expect(save()).toHaveProperty('disabled', true);
  });
});
