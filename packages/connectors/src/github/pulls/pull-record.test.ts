import { describe, expect, it } from 'vitest';
import { pullRecord } from '../records/pull-record.ts';
import { ghPulls } from './entity.ts';

const USUAL = '2024-01-01T00:00:00Z';

describe('instants of a pull request', () => {
  it.each([
    [USUAL, USUAL],
    ['2024-02-29T23:59:59Z', '2024-02-29T23:59:59Z'],
    ['2024-01-01T00:00:00.120Z', '2024-01-01T00:00:00.120Z'],
    ['2024-01-01T01:00:00+02:00', '2023-12-31T23:00:00Z'],
    ['2024-01-01T24:00:00Z', '2024-01-02T00:00:00Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00Z'],
    ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59Z'],
    [`2024-01-01T00:00:00.${'1'.repeat(200)}Z`, '2024-01-01T00:00:00.111Z'],
  ])('reads %s as %s', (written, instant) => {
    const dates = { created_at: written, updated_at: written, closed_at: written, merged_at: written };
    const { columns, occurredAt, updatedAt } = pullRecord({ id: 1, ...dates }, 'acme/box');
    expect([occurredAt, columns.merged_at]).toEqual([new Date(instant), new Date(instant)]);
    expect(updatedAt).toBe(Date.parse(instant));
    // A column is a copy only if the instant can be written back as the same text.
    const copy = written === instant && written.length === USUAL.length ? new Date(instant) : null;
    expect([columns.created_at, columns.updated_at, columns.closed_at]).toEqual([copy, copy, copy]);
  });

  it.each([
    '2026-02-30T00:00:00Z',
    '2023-02-29T00:00:00+05:00',
    '2026-13-01T00:00:00Z',
    '2026-01-01T00:00:60Z',
    '2026-01-01',
    '0000-01-01T00:00:00Z',
    '9999-12-31T23:59:59-12:00',
    '0001-01-01T00:00:00+14:00',
    '+012024-01-01T00:00:00Z',
    'soon',
    '',
  ])('stores null for %s, which the database cannot store', (written) => {
    const { columns, occurredAt } = pullRecord(
      {
        id: 1,
        created_at: written,
        updated_at: USUAL,
        closed_at: written,
        merged_at: written,
        state: 'open',
      },
      'acme/box',
    );
    expect(columns).toMatchObject({
      created_at: null,
      updated_at: new Date(USUAL),
      closed_at: null,
      merged_at: null,
      state: 'open',
    });
    expect(occurredAt).toEqual(new Date(USUAL));
  });
});

describe('document of a pull request', () => {
  const owner = { login: 'acme', id: 3, avatar_url: 'https://example.org/a.png' };
  const repository = {
    id: 7,
    node_id: 'MDEw',
    name: 'box',
    full_name: 'acme/box',
    private: false,
    owner,
    html_url: 'https://github.com/acme/box',
    description: 'A box',
    fork: true,
    default_branch: 'main',
  };
  const { node_id: _, description: __, ...rest } = repository;
  const kept = { ...rest, owner: { login: 'acme', id: 3 } };

  it('keeps the identifying fields of its repositories and the order of fields', () => {
    const pull = {
      id: 1,
      base: { label: 'acme:main', repo: repository },
      head: { repo: { ...repository, owner: null }, sha: 'abc' },
      body: null,
      _links: { self: { href: 'https://api.github.com/' } },
    };
    const { data, columns } = pullRecord(structuredClone(pull), 'other/name');
    const expected = {
      ...pull,
      base: { label: 'acme:main', repo: kept },
      head: { repo: { ...kept, owner: null }, sha: 'abc' },
    };

    expect(JSON.stringify(data)).toBe(JSON.stringify(expected));
    expect(columns.repository).toBe('acme/box');
  });

  it.each([[null], ['gone'], [{ repo: null }], [{ repo: 'acme/box' }], [[{ repo: repository }]]])(
    'keeps an unusual base unchanged: %j',
    (base) => {
      const { data, columns } = pullRecord({ id: 1, base, head: base }, 'other/name');
      expect(data).toEqual({ id: 1, base, head: base });
      expect(columns.repository).toBe('other/name');
    },
  );

  it('is refused when nested more than 1,000 levels deep', () => {
    const nested = (depth: number) =>
      JSON.parse(`{"id":1,"a":${'['.repeat(depth)}${']'.repeat(depth)}}`) as unknown;
    expect(pullRecord(nested(999), 'a/b').id).toBe('1');
    expect(() => pullRecord(nested(1000), 'a/b')).toThrow('cannot be read');
    expect(() => pullRecord(nested(100_000), 'a/b')).toThrow('cannot be read');
  });
});

describe('columns of a pull request', () => {
  it('stores null for a text that is too long to be copied', () => {
    const { columns, data } = pullRecord({ id: 1, title: 'x'.repeat(2001), state: 'open' }, 'a/b');
    expect(columns).toMatchObject({ title: null, state: 'open', author: 'ghost', number: 0, draft: null });
    expect(data.title).toHaveLength(2001);
  });

  it('stores the counts of a pull request that has them', () => {
    const counts = { additions: 5, deletions: 0, changed_files: 2 ** 40, comments: 1.5 };
    const { columns } = pullRecord({ id: 1, ...counts }, 'a/b');
    expect(columns).toMatchObject({ additions: 5, deletions: 0, changed_files: null, comments: null });
  });

  it('converts a stored document to the same columns, keeping its repository', () => {
    const pull = { id: 1, number: 4, merged_at: USUAL, labels: [{ name: 'a\u0000b\ud800' }], base: null };
    const { data, columns } = pullRecord(pull, 'acme/box');
    expect(columns).toMatchObject({ labels: ['a\ufffdb\ufffd'], state: 'unknown' });
    expect(ghPulls.convert(data, { repository: 'acme/box' })).toEqual({ data, columns });
  });
});
