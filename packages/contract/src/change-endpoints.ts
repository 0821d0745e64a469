import { z } from 'zod';
import { changeKindSchema, recordChangeSchema, recordVersionsSchema, syncChangesSchema } from './changes.ts';
import { accountNameSchema, defineEndpoints, idSchema, pageSchema } from './endpoint.ts';

/** Endpoints for the changes of a sync and the versions of a record. */
export const CHANGE_ENDPOINTS = defineEndpoints({
  syncChanges: {
    method: 'GET',
    path: '/api/integrations/synchronizations/{id}/changes',
    summary: 'Records that a sync changed, pages of 20',
    access: 'user',
    params: z.object({ id: idSchema }),
    query: z.object({ kind: changeKindSchema.or(z.literal('')).optional(), page: pageSchema }),
    response: syncChangesSchema,
  },
  recordChange: {
    method: 'GET',
    path: '/api/integrations/synchronizations/{id}/changes/record',
    summary: 'A record before and after a sync',
    access: 'user',
    params: z.object({ id: idSchema }),
    query: z.object({ record: idSchema }),
    response: recordChangeSchema,
  },
  recordVersions: {
    method: 'GET',
    path: '/api/integrations/entities/versions/{providerId}/{entityLabel}',
    summary: 'Stored versions of a record and their syncs, newest first',
    access: 'user',
    params: z.object({ providerId: idSchema, entityLabel: idSchema }),
    query: z.object({ record: idSchema, account: accountNameSchema }),
    response: recordVersionsSchema,
  },
});
