import type { Provider, Sync, Template } from '@datadeck/contract';
import { describe, expect, it } from 'vitest';
import { fieldMessages, toProvider, toRunQuery, toSavedQuery, toSync, toTemplate } from './models.ts';

const SYNC = {
  created_at: '2026-11-20T10:00:00.000Z',
  updated_at: '2026-11-20T10:01:00.000Z',
  summary: { errMessage: 'Refused.', timeElapsed: 1.5, entitiesSynced: 3, added: 2 },
} as Sync;

describe('wire mapping', () => {
  it.each([
    [
      'a provider',
      toProvider({ _id: 'google', isBlocked: true } as Provider),
      { id: 'google', isConnected: true },
    ],
    ['a template', toTemplate({ entryCollection: 'gh-pulls' } as Template), { entity: 'gh-pulls' }],
    [
      'a saved query',
      toSavedQuery({ _id: 'q', title: 't', jsonNataQuery: '$' }),
      { id: 'q', title: 't', expression: '$' },
    ],
    [
      'a sync',
      toSync(SYNC),
      {
        createdAt: '2026-11-20T10:00:00.000Z',
        updatedAt: '2026-11-20T10:01:00.000Z',
        summary: { reason: 'Refused.', seconds: 1.5, records: 3, added: 2 },
      },
    ],
    [
      'the fields of an error',
      fieldMessages({ jsonNataQuery: 'Wrong', title: 'Long' }),
      { expression: 'Wrong', title: 'Long' },
    ],
  ])('maps %s to the names of the app', (_, mapped, expected) => {
    expect(mapped).toEqual(expected);
  });

  it('maps a query to the names on the wire', () => {
    expect(toRunQuery({ entity: 'gh-pulls', templateKey: 'all', expression: '$', page: 2 })).toEqual({
      entryCollection: 'gh-pulls',
      templateKey: 'all',
      jsonNataQuery: '$',
      page: 2,
    });
  });
});
