import { z } from 'zod';
import { EXPORT_FORMATS } from './choices.ts';
import { accountNameSchema as account, defineEndpoints, idSchema, pageSchema } from './endpoint.ts';
import { exactSchema } from './queries.ts';
import { sortSchema } from './sort.ts';
import { resultsSchema, rowSearchSchema, templateSchema } from './templates.ts';

/** Endpoints for records: by template, as examples, and as a file. */
export const RECORD_ENDPOINTS = defineEndpoints({
  exampleRecords: {
    method: 'GET',
    path: '/api/integrations/entities/mini/{providerId}/{entityLabel}',
    summary: 'Sample records',
    access: 'user',
    params: z.object({ providerId: idSchema, entityLabel: idSchema }),
    query: z.object({ limit: z.coerce.number().int().min(1).max(20).default(1), account }),
    response: resultsSchema,
  },
  templates: {
    method: 'GET',
    path: '/api/integrations/entities/templates/{providerId}/{entityLabel}',
    summary: 'Templates of an entity',
    access: 'user',
    params: z.object({ providerId: idSchema, entityLabel: idSchema }),
    response: z.array(templateSchema),
  },
  aggregation: {
    method: 'GET',
    path: '/api/integrations/entities/aggregation/{entryCollection}/{templateKey}',
    summary: 'A page of a template',
    access: 'user',
    params: z.object({ entryCollection: idSchema, templateKey: idSchema }),
    query: z.object({ page: pageSchema, search: rowSearchSchema.optional(), account, sort: sortSchema }),
    response: resultsSchema,
  },

  exportRecords: {
    method: 'GET',
    path: '/api/data/records/{providerId}/{entityLabel}/export',
    summary: 'All stored records of an entity as a file, in the order of their ids',
    access: 'user',
    params: z.object({ providerId: idSchema, entityLabel: idSchema }),
    query: z.object({ format: z.enum(EXPORT_FORMATS).default('ndjson'), exact: exactSchema, account }),
  },
  attachment: {
    method: 'GET',
    path: '/api/data/records/{providerId}/{entityLabel}/attachment',
    summary: 'A file of a mail, fetched from its provider, as a download of at most 25 MiB',
    access: 'user',
    params: z.object({ providerId: idSchema, entityLabel: idSchema }),
    query: z.object({
      record: idSchema,
      account,
      /** Position in `attachments.files` of the reading, from 0. */
      index: z.coerce.number().int().min(0).max(999).default(0),
    }),
  },
});
