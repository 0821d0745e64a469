import type { AddedBoard } from '@datadeck/contract';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { provider } from '../../../test-support/pages.tsx';
import { renderAs, serve } from '../../../test-support/render.tsx';
import { AddedNotice, ReadyBoardList } from './ready-boards.tsx';

const ADDED: AddedBoard = {
  board: {
    _id: 'b',
    title: 'My week',
    tiles: [],
    version: 1,
    weeklyMail: false,
    updated_at: '2026-11-20T10:00:00.000Z',
  },
  createdViews: ['Failed builds'],
  reusedViews: ['Open pull requests', 'Builds by day'],
  leftOut: ['Unread mails'],
};

function show(connected: readonly string[], { mayChange = true, isRefused = false } = {}) {
  const providers = [
    {
      ...provider,
      _id: 'github',
      key: 'github',
      title: 'GitHub',
      entities: [{ id: 'gh-pulls', title: 'Pull Requests' }],
    },
    {
      ...provider,
      _id: 'google',
      key: 'google',
      title: 'Gmail',
      entities: [{ id: 'gmail-messages', title: 'Messages' }],
    },
  ].map((one) => ({ ...one, isBlocked: connected.includes(one.key) }));
  const refusal = { status: 409, body: { error: { code: 'limit-reached', message: 'You have 50 boards.' } } };
  const calls = serve(({ url }) => {
    if (url.includes('/providers')) return { body: providers };
    return isRefused ? refusal : { status: 201, body: ADDED };
  });
  const onAdded = vi.fn();
  renderAs({ mayChange }, <ReadyBoardList onAdded={onAdded} />);
  return { calls, onAdded };
}
const add = (title: string) => screen.findByRole('button', { name: `Add ${title}` });

it('says what a board reads and lacks, and adds it', async () => {
  const { calls, onAdded } = show(['github']);
  const button = await add('My week');
  expect(screen.getAllByText('Reads Pull Requests of GitHub.')).toHaveLength(2);
  expect(
    screen.getByText(/^Left out until Gmail is connected: Unread mails and part of Waiting for me\.$/),
  ).toBeTruthy();
  expect(await add('Inbox')).toHaveProperty('disabled', true);
  expect(screen.getByText('Connect Gmail first.')).toBeTruthy();
  fireEvent.click(button);
  await waitFor(() => expect(onAdded).toHaveBeenCalledOnce());
  expect(calls.find(({ url }) => url.endsWith('/ready'))?.body).toEqual({ key: 'my-week' });
});

it('says why a board was refused', async () => {
  const { onAdded } = show(['github', 'google'], { isRefused: true });
  fireEvent.click(await add('Inbox'));
  expect(await screen.findByText(/You have 50 boards/)).toBeTruthy();
  expect(onAdded).not.toHaveBeenCalled();
});

it('adds nothing for users who may not change anything', async () => {
  show(['github', 'google'], { mayChange: false });
  expect(await add('My week')).toHaveProperty('disabled', true);
});

it('names after the addition what is new, used again, and left out', () => {
  renderAs({ mayChange: true }, <AddedNotice added={ADDED} />);
  expect(screen.getByRole('note').textContent).toBe(
    'The board was added with 1 new view and 2 that you had. Left out, because nothing with their data is connected: Unread mails. Tiles fill when what they read is synchronized.',
  );
});
