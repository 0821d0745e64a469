import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { renderAs, serve } from '../../../test-support/render.tsx';
import { VIEW, WIRE_VIEW } from '../../../test-support/view.ts';
import type { Provider } from '../../api/models.ts';
import { StarterList } from './starter-list.tsx';

const account = { account: 'octocat', title: '', isShown: true } as Provider['accounts'][number];
const github: Provider = {
  id: 'github',
  key: 'github',
  title: 'GitHub',
  description: '',
  entities: [{ id: 'gh-pulls', title: 'Pull requests' }],
  isConnected: true,
  connection: null,
  accounts: [account],
};
const gmail = { ...github, id: 'google', key: 'google', title: 'Gmail', isConnected: false, accounts: [] };
const TITLES = ['Waiting for me', 'Mails about this pull request', 'People'];

function show(more: { mayChange?: boolean; entity?: string; views?: readonly (typeof VIEW)[] } = {}) {
  const { mayChange = true, entity = '', views = [] } = more;
  const onCreated = vi.fn();
  renderAs(
    { mayChange },
    <StarterList providers={[github, gmail]} views={views} entity={entity} onCreated={onCreated} />,
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

  it('are saved with the own account as the default of a parameter', async () => {
    const calls = serve(() => ({ status: 201, body: { ...WIRE_VIEW, _id: 'new' } }));
    const onCreated = show();
    fireEvent.click(screen.getByText('Waiting for me'));
    expect(screen.getByText(/once Gmail is connected/)).toBeTruthy();
    expect(screen.getByLabelText('Default of $login')).toHaveProperty('value', 'octocat');
    fireEvent.change(screen.getByLabelText('Default of $address'), { target: { value: 'o@example.org' } });
    fireEvent.blur(screen.getByLabelText('Default of $address'));
    fireEvent.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(onCreated).toHaveBeenCalledWith(expect.objectContaining({ id: 'new' })));
    expect(calls[0]?.body).toMatchObject({
      title: 'Waiting for me',
      providerId: 'github',
      templateKey: 'pulls-waiting',
      bases: [{ name: 'reviews' }, { name: 'mails', entityLabel: 'gmail-messages' }],
      parameters: [
        { name: 'login', default: 'octocat' },
        { name: 'address', default: 'o@example.org' },
      ],
    });
  });
});
