import { CONNECTOR_BOUNDS } from '@datadeck/contract';
import { describe, expect, it } from 'vitest';
import { manifestOf } from '../../../test-support/airbyte/index.ts';
import { draftDocument } from './documents.ts';

const start = (manifest: string) =>
  draftDocument({ from: 'manifest', key: 'desk', title: 'Help desk', manifest });

const aliases = Array.from({ length: 40 }, (_, n) => `a${n}: &a${n} [${n ? `*a${n - 1}, *a${n - 1}` : 1}]`);
const most = (text: string) => text.repeat(CONNECTOR_BOUNDS.manifest / text.length);

describe('hostile manifests of Airbyte', () => {
  it.each([
    ['aliases of aliases', aliases.join('\n')],
    ['2 MB of brackets', most('[')],
    ['2 MB of flow mappings', most('{a: ')],
    ['2 MB of short lines', most('- 1\n')],
    [
      '2 MB of references',
      `streams:\n${most('- {$ref: "#/streams"}\n')}`.slice(0, CONNECTOR_BOUNDS.manifest),
    ],
  ])('are refused in time, and the thread reads the next one: %s', async (_, text) => {
    const { document, remarks } = await start(text);
    expect([document, remarks]).toEqual(['', [expect.stringMatching(/^The .*\.$/)]]);
    expect((await start(manifestOf([{ name: 'tickets' }]))).document).toContain('desk-tickets');
  });
});
