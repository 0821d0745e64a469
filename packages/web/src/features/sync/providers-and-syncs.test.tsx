import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { Provider } from 'react-redux';
import { describe, expect, it } from 'vitest';
import { provider, sync } from '../../../test-support/pages.tsx';
import { serve } from '../../../test-support/render.tsx';
import { toSync } from '../../api/models.ts';
import { patchSync } from '../../app/state/live-updates.ts';
import { createStore } from '../../app/state/store.ts';
import { useOverview } from './providers-and-syncs.ts';

const STARTED = { ...sync, status: 'started' as const };

describe('useOverview', () => {
  // @covers 4.overview-recomputed-providers
  it('follows the providers, the list of syncs and events about one sync', async () => {
    serve(({ url }) => ({ body: url.includes('/providers') ? [provider] : [STARTED] }));
    const store = createStore();
    const wrapper = ({ children }: { children: ReactNode }) => <Provider store={store}>{children}</Provider>;
    const { result } = renderHook(useOverview, { wrapper });
    expect(result.current).toEqual({ overview: {}, syncs: [] });
    const row = () => result.current.overview['Gmail']?.[0];
    await waitFor(() => expect(row()).toMatchObject({ currentSyncId: 's1', lastSyncId: '' }));

    act(() => patchSync(store, toSync({ ...STARTED, status: 'finished' })));
    await waitFor(() => expect(row()).toMatchObject({ currentSyncId: '', lastSyncId: 's1' }));
    expect(result.current.syncs).toHaveLength(1);
  });
});
