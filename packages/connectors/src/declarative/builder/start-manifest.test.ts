import { CONNECTOR_BOUNDS } from '@datadeck/contract';
import { describe, expect, it } from 'vitest';
import { DESK_MANIFEST, manifestOf } from '../../../test-support/airbyte/index.ts';
import { checkDocument, draftDocument, readDocument } from './documents.ts';

const start = (manifest: string, streams?: string[]) =>
  draftDocument({ from: 'manifest', key: 'desk', title: 'Help desk', manifest, streams });
const lineOf = (text: string) => DESK_MANIFEST.split('\n').findIndex((line) => line.trim() === text) + 1;
const numbered = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `list${index}` }));

describe('documents that start from a manifest of Airbyte', () => {
  it('has the streams that can be translated, and says where and why others were left out', async () => {
    const { document: text, remarks, streams } = await start(DESK_MANIFEST);
    const { document, problems } = await readDocument(text);
    expect([problems, document && (await checkDocument(document)), remarks]).toEqual([[], [], []]);
    expect(document).toMatchObject({
      key: 'desk',
      title: 'Help desk',
      entities: [{ id: 'desk-tickets' }, { id: 'desk-comments', parent: 'desk-tickets' }],
    });
    expect(streams).toEqual([
      { name: 'tickets', isImported: true, reason: '', entities: ['desk-tickets'], line: expect.any(Number) },
      {
        name: 'comments',
        isImported: true,
        reason: '',
        entities: ['desk-comments', 'desk-tickets'],
        line: expect.any(Number),
      },
      {
        name: 'audits',
        isImported: false,
        reason: expect.stringMatching(/^Cannot be translated: the extractor CustomRecordExtractor\.$/),
        entities: [],
        line: lineOf('audits:') + 1,
      },
    ]);
  });

  it('imports the chosen streams, and their parents with them', async () => {
    const { document, streams = [] } = await start(
      manifestOf([{ name: 'users' }, { name: 'tickets' }, { name: 'comments', parent: 'tickets' }]),
      ['comments'],
    );
    expect(streams.map(({ name, isImported, reason }) => [name, isImported, reason])).toEqual([
      ['users', false, 'It was not chosen.'],
      ['tickets', true, ''],
      ['comments', true, ''],
    ]);
    expect((await readDocument(document)).document?.entities.map(({ id }) => id)).toEqual([
      'desk-tickets',
      'desk-comments',
    ]);
  });

  it('imports the first 20 of more streams, or those that are chosen', async () => {
    const manifest = manifestOf(numbered(23));
    const first = (await start(manifest)).streams ?? [];
    expect(first.map(({ isImported }) => isImported)).toEqual(numbered(23).map((_, index) => index < 20));
    expect(first[20]).toMatchObject({
      reason: 'It can be imported, but a document has at most 20 entities.',
      entities: ['desk-list20'],
    });
    const chosen = (await start(manifest, ['list22', 'list1'])).streams ?? [];
    expect(chosen.filter(({ isImported }) => isImported).map(({ name }) => name)).toEqual([
      'list1',
      'list22',
    ]);
  });

  it('names chosen streams that the manifest lacks', async () => {
    const { document, remarks } = await start(DESK_MANIFEST, ['tickets', 'users']);
    expect(document).toContain('desk-tickets');
    expect(remarks).toEqual(['The manifest has no stream users.']);
  });

  it.each([
    ['a fault of YAML', 'a: [', /^The manifest is not YAML: [^\n]*\.$/],
    ['no streams', 'version: 1', /lists no streams/],
    ['a list', '- 1', /no mapping/],
    ['no text', '', /no mapping/],
    ['a reference to itself', 'streams: "#/streams"', /leads to itself/],
    ['too many levels', `streams: ${'['.repeat(20_000)}`, /^The manifest /],
    ['too many streams', manifestOf(numbered(CONNECTOR_BOUNDS.manifestStreams + 1)), /more than 500 streams/],
  ])('says in one sentence why a text with %s is no manifest', async (_, text, message) => {
    const { document, remarks, streams } = await start(text);
    expect([document, streams]).toEqual(['', []]);
    expect(remarks).toEqual([expect.stringMatching(message)]);
  });

  it('says of each stream why none could be imported', async () => {
    const { document, remarks, streams } = await start(manifestOf([{ name: 'audits', extractor: 'a.B' }]));
    expect([document, remarks]).toEqual(['', ['No stream of the manifest was imported.']]);
    expect(streams).toMatchObject([
      { name: 'audits', isImported: false, reason: expect.stringMatching(/\w\.$/) },
    ]);
  });
});
