import { act, renderHook, waitFor } from '@testing-library/react';
import { Provider } from 'react-redux';
import { expect, it } from 'vitest';
import { serve } from '../../../test-support/render.tsx';
import { createStore } from '../../app/state/store.ts';
import type { Board } from '../boards/boards-api.ts';
import { useBoardDraft } from './use-board-draft.ts';

const BOARD: Board = {
  id: 'b',
  title: 'My week',
  tiles: [],
  version: 1,
  weeklyMail: false,
  updated_at: '2026-11-20T10:00:00.000Z',
};

it('saves again after a change from elsewhere arrived while its own was refused', async () => {
  const elsewhere = { ...BOARD, title: 'Changed elsewhere', version: 2 };
  let arrive = () => {};
  const calls = serve(({ method, body }) => {
    if (method !== 'PUT') return { body: [] };
    const { title, version } = body as Board;
    if (version === elsewhere.version) return { body: { ...elsewhere, _id: 'b', title, version: 3 } };
    arrive();
    return { status: 409, body: { error: { code: 'board-outdated', message: 'Changed elsewhere.' } } };
  });
  const store = createStore();
  const { result, rerender } = renderHook((board: Board) => useBoardDraft(board), {
    initialProps: BOARD,
    wrapper: ({ children }) => <Provider store={store}>{children}</Provider>,
  });
  arrive = () => rerender(elsewhere);
  act(() => result.current.change({ title: 'Mine' }));
  await waitFor(() => expect(result.current.title).toBe('Changed elsewhere'));
  await waitFor(() => expect(result.current.isSaving).toBe(false));
  act(() => result.current.change({ title: 'Mine again' }));
  await waitFor(() => expect(calls.filter(({ method }) => method === 'PUT')).toHaveLength(2));
  expect(calls.findLast(({ method }) => method === 'PUT')?.body).toMatchObject({
    title: 'Mine again',
    version: 2,
  });
});
