import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { plainDocument } from '../../../test-support/declarative/hostile-service.ts';
import { shippedDocuments } from '../shipped/index.ts';
import { readDocument } from './documents.ts';

const plain = () => JSON.parse(JSON.stringify(plainDocument()));

/** Returns the problems of the plain document with a change, as `path: message`. */
async function problemsWith(change: (document: ReturnType<typeof plain>) => void): Promise<string[]> {
  const document = plain();
  change(document);
  const { problems } = await readDocument(JSON.stringify(document));
  return problems.map(({ path, message }) => `${path}: ${message}`);
}

describe('texts of documents', () => {
  it('reads the shipped documents from JSON and from YAML', async () => {
    for (const shipped of shippedDocuments)
      for (const text of [JSON.stringify(shipped), JSON.stringify(shipped, null, 2), stringify(shipped)])
        expect(await readDocument(text)).toEqual({ document: shipped, problems: [] });
  });

  it('names line and column of a fault of the syntax', async () => {
    const { document, problems } = await readDocument('{\n  "version": 1,\n  "key": "a" "title": "b"\n}');
    expect(document).toBeUndefined();
    expect(problems).toEqual([{ path: '', message: expect.stringMatching(/^Line 3, column \d+: .*\.$/) }]);
    const { problems: ofYaml } = await readDocument('version: 1\nkey: [a');
    expect(ofYaml[0]?.message).toMatch(/^Line 2, column \d+: /);
  });

  it.each([
    ['an empty text', ' \n', /empty/],
    ['a list', '[1]', /no object/],
    ['a word', 'document', /no object/],
    ['too long a text', `{"a":"${'x'.repeat(200_000)}"}`, /200,000 characters/],
    ['deep JSON', `${'['.repeat(90_000)}${']'.repeat(90_000)}`, /levels/],
    ['deep YAML', `a: ${'[ '.repeat(90_000)}`, /levels|Line 1/],
    ['an alias without its anchor', 'a: *b', /alias/i],
    ['many values', `[${'1,'.repeat(99_000)}1]`, /no object/],
    [
      'aliases that fill memory',
      `a0: &a0 [x,x,x,x,x,x,x,x,x]\n${Array.from({ length: 12 }, (_, i) => `a${i + 1}: &a${i + 1} [${Array(9).fill(`*a${i}`).join()}]`).join('\n')}`,
      /aliases/,
    ],
  ])('refuses %s with a sentence', async (_, text, message) => {
    const { document, problems } = await readDocument(text);
    expect(document).toBeUndefined();
    expect(problems.map((problem) => problem.message).join()).toMatch(message);
  });

  it('says at each member what is wrong with it, and what to write', async () => {
    const found = await problemsWith((document) => {
      document.version = 2;
      document.key = 'Help desk';
      document.title = '';
      delete document.description;
      document.baseUrl = 'ftp://example.com';
      document.authentication = { kind: 'oauth' };
      document.quota.perMinute = 'many';
      document.colour = 'red';
      document.failures = [{ means: 'bad' }];
      const [entity] = document.entities;
      entity.request = { path: 'items', headers: { Authorization: "'x'" }, query: { '': '1' } };
      entity.records = '';
      entity.columns = { 'Created At': { type: 'date', value: 'x' }, title: { type: 'text' } };
      entity.templates = [{ kind: 'list' }];
      entity.description = 'x'.repeat(1001);
    });
    expect(found).toEqual([
      'version: It has another value: choose 1.',
      'key: It must be small letters, digits and hyphens, beginning with a letter, at most 31 characters, such as help-desk.',
      'title: It is empty: enter a text.',
      'description: It is missing: enter a text.',
      'baseUrl: It must be an https address such as https://api.example.com/v1 or https://{config.site}.example.com/api.',
      'authentication.kind: There is no such kind: choose one of "none", "bearer", "api-key", "basic", "client-credentials", "refresh-token", "oauth-code", "session-token".',
      'quota.perMinute: It must be a number.',
      'failures.0.means: It has another value: choose one of "expired-token", "forbidden", "not-found", "invalid", "cursor-expired", "rate-limited", "unavailable", "no-records".',
      'entities.0.description: It has at most 1,000 characters.',
      'entities.0.request.path: It must be a path that begins with a slash, such as /items.',
      'entities.0.request.query.: The name must be the name of a query parameter, such as per_page.',
      'entities.0.request.headers.Authorization: The name must be small letters, digits, hyphens and underscores, such as x-api-version.',
      'entities.0.records: It is empty: enter a text.',
      'entities.0.columns.Created At: The name must be small letters, digits and underscores, beginning with a letter, such as created_at.',
      'entities.0.columns.title.value: It is missing: enter a text.',
      'entities.0.templates.0.kind: There is no such kind: choose one of "records", "rows", "groups".',
      'colour: There is no such member. Check its name and where it is.',
    ]);
  });

  it('never shows messages of the schema library, for any fault', async () => {
    const values = [null, 1, 'x', '', [], {}, true, 1e9, 'x'.repeat(5000), [1], { a: 1 }, -1, 1.5];
    const paths: (string | number)[][] = [];
    const collect = (value: unknown, path: (string | number)[]) => {
      if (path.length > 0) paths.push(path);
      if (typeof value === 'object' && value !== null)
        for (const [name, inner] of Object.entries(value)) collect(inner, [...path, name]);
    };
    collect(plain(), []);
    for (const [index, path] of paths.entries()) {
      const messages = await problemsWith((document) => {
        const parent = path.slice(0, -1).reduce((inner, name) => inner[name], document);
        parent[path.at(-1) ?? ''] = values[index % values.length];
      });
      for (const message of messages)
        expect(message).not.toMatch(/Invalid|expected|Too (?:small|big)|pattern \/|undefined/);
    }
  });

  it('reports what parts of a document say of each other', async () => {
    expect(
      await problemsWith((document) => {
        document.key = 'demo';
        document.connect.fields.push({ name: 'site', label: 'Site' });
        const [entity] = document.entities;
        entity.titleColumn = 'nothing';
        entity.settings.push(entity.settings[0]);
        entity.templates[1].where.push({ column: 'title', is: 'equal', value: 'a\0b' });
        entity.templates[1].where.push({ column: 'updated', is: 'older-than-days', value: 1e300 });
        entity.templates[2].description = '  ';
      }),
    ).toEqual(
      expect.arrayContaining([
        'key: This key belongs to the product. Choose another one.',
        'connect.fields: Two fields have the name site.',
        'entities.0.settings: Two fields have the name project.',
        'entities.0.titleColumn: There is no column nothing.',
        'entities.0.templates.1.where.2: Its value has a character that no text of the database has.',
        'entities.0.templates.1.where.3: Its value is at most 100,000 days.',
        'entities.0.templates.2.description: It is empty: enter a text.',
      ]),
    );
  });

  it('reads the example of the documentation', async () => {
    const page = readFileSync(
      new URL('../../../../../docs/build/connector-documents.md', import.meta.url),
      'utf8',
    );
    const [, example = ''] = /## A complete document\s+```json\n([^`]+)```/.exec(page) ?? [];
    expect((await readDocument(example)).problems).toEqual([]);
  });
});
