import { CACHE_TAGS } from '@datadeck/contract';
import { render } from '@testing-library/react';
import { Provider } from 'react-redux';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { storeToken } from '../../api/auth-token.ts';
import { baseApi } from '../../api/base-api.ts';
import type { EventStreamOptions } from '../../api/event-stream.ts';
import { followEvents } from '../../api/follow-events.ts';
import { useLiveUpdates } from './live-updates.ts';
import { createStore } from './store.ts';

vi.mock('../../api/follow-events.ts');

let stream: EventStreamOptions;

function Follower() {
  useLiveUpdates();
  return null;
}

/** Renders a page that follows the events. @returns the cache tags whose data has been refetched so far */
function show(): () => string[] {
  const store = createStore();
  const invalidated: string[] = [];
  const dispatch = store.dispatch;
  store.dispatch = ((action: Parameters<typeof dispatch>[0]) => {
    if (baseApi.util.invalidateTags.match(action)) invalidated.push(...(action.payload as string[]));
    return dispatch(action);
  }) as typeof dispatch;
  render(
    <Provider store={store}>
      <Follower />
    </Provider>,
  );
  return () => invalidated;
}

const EVERYTHING = CACHE_TAGS.filter((tag) => tag !== 'Templates');

describe('useLiveUpdates', () => {
  beforeEach(() => {
    storeToken('t');
    vi.mocked(followEvents).mockImplementation((options) => {
      stream = options;
      return () => {};
    });
  });

  it('refetches everything after a reconnection', () => {
    const invalidated = show();
    stream.onReconnect();
    expect(invalidated()).toEqual(EVERYTHING);
    expect(EVERYTHING).toEqual(
      expect.arrayContaining(['Synchronizations', 'Aggregation', 'Views', 'View', 'Changes']),
    );
  });

  it('refetches everything when the server may have missed changes', () => {
    const invalidated = show();
    stream.onData('{"type":"missed"}');
    expect(invalidated()).toEqual(EVERYTHING);
  });

  it('refetches the lists that changed, and ignores unknown or malformed events', () => {
    const invalidated = show();
    stream.onData('{"type":"invalidate","tags":["Views","Unknown"]}');
    for (const data of ['', '{', '{"type":"new"}', 'null']) stream.onData(data);
    expect(invalidated()).toEqual(['Views']);
  });
});
