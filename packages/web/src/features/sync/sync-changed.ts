import { createAction } from '@reduxjs/toolkit';
import type { Sync } from '../../api/models.ts';

/** The server reported the state of a sync. The cached lists hold it already. */
export const syncChanged = createAction<Sync>('sync/changed');
