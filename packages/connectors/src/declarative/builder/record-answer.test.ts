import type { ConnectorDocument } from '@datadeck/contract/connector-document';
import { describe, expect, it } from 'vitest';
import { plainDocument } from '../../../test-support/declarative/hostile-service.ts';
import { SecretHider } from './hide-secret.ts';
import { recordAnswer } from './record-answer.ts';

const ANSWERED = 'https://acme.example.net/api/v1/items?per_page=50&page=1';
const PEOPLE = ['Ada Lovelace', 'Çağla Yılmaz', '李雷', 'Grace Hopper'];

interface Given {
  headers?: Record<string, string>;
  secret?: string;
  document?: ConnectorDocument;
}

function record(
  response: unknown,
  { headers = {}, secret = 'secret-token', document = plainDocument() }: Given = {},
) {
  const task = {
    index: 0,
    variables: { config: {}, settings: {}, now: '2026-06-01T10:00:00.000Z' },
    answer: {
      bytes: new Uint8Array(),
      headers: { 'content-type': 'application/json; charset=utf-8', 'set-cookie': 'a', ...headers },
    },
    status: 200,
  };
  return recordAnswer({ task, document, response, hider: new SecretHider([secret]) });
}

const people = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: 1000 + index,
    uuid: `3f2b6c1e-8d4a-4f6b-9c2d-0a1b2c3d4e${(index + 10).toString(16)}`,
    key: `ABC-${index + 100}`,
    author: {
      name: PEOPLE[index % 4],
      login: 'adalove',
      email: `adalove${index}@corporate.example`,
      id: 7000 + (index % 4),
    },
    state: index % 2 ? 'open' : 'closed',
    text: `Call Ada on +49 170 1234567, room ${index}`,
    price: 12.5 + index,
    isOpen: index % 2 === 0,
    none: null,
    created_at: new Date(Date.UTC(2026, 0, 31 - index)).toISOString(),
    day: `2026-01-${String((index % 28) + 1).padStart(2, '0')}`,
    epoch_time: 1_767_225_600 + index,
    web_url: `https://www.corporate.example/adalove/projects/${index}?tab=notes`,
  }));

describe('a recorded answer', () => {
  const response = {
    items: people(50),
    total: 250,
    next: `${ANSWERED.replace('page=1', 'page=2')}&cursor=YWRhQGNvcnA`,
  };
  const recording = record(response, {
    headers: { link: `<${ANSWERED.replace('page=1', 'page=2')}>; rel="next"`, 'x-total': '250' },
  });
  const text = recording?.text ?? '';
  const replaced = JSON.parse(text) as typeof response;

  it('has the members and types of the answer, with at most 20 elements of lists', () => {
    const shapeOf = (value: unknown): unknown =>
      Array.isArray(value)
        ? value.map(shapeOf)
        : typeof value === 'object' && value !== null
          ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)]))
          : value === null
            ? null
            : typeof value;
    expect(shapeOf(replaced)).toEqual(shapeOf({ ...response, items: response.items.slice(0, 20) }));
  });

  it('has no value of a person', () => {
    // Shorter texts come about by chance.
    for (const value of [
      'Lovelace',
      'Yılmaz',
      '李雷',
      'adalove',
      'corporate',
      '1234567',
      '3f2b6c1e',
      'projects',
      'cookie',
      'YWRhQGNvcnA',
    ])
      expect(JSON.stringify(recording)).not.toContain(value);
  });

  it('keeps ids unique, and equal values equal', () => {
    const { items } = replaced;
    for (const name of ['id', 'uuid', 'key'] as const)
      expect(new Set(items.map((item) => item[name])).size).toBe(20);
    expect(new Set(items.map(({ author }) => author.id)).size).toBe(4);
    expect(items[0]?.author).toEqual({ ...items[4]?.author, email: items[0]?.author.email });
  });

  it('keeps formats, and the order of dates', () => {
    for (const [index, item] of replaced.items.entries()) {
      expect(item.created_at).toMatch(/^\d{4}-\d\d-\d\dT00:00:00\.000Z$/);
      expect(Number.isNaN(Date.parse(item.day))).toBe(false);
      expect(Date.parse(item.created_at)).toBeLessThan(
        Date.parse(replaced.items[index - 1]?.created_at ?? '9999'),
      );
      expect(item.epoch_time).toBeGreaterThan(replaced.items[index - 1]?.epoch_time ?? 0);
      expect(item.epoch_time).not.toBe(response.items[index]?.epoch_time);
      expect(item.web_url).toMatch(/^https:\/\/host\d+\.example\.com\/[^/]+\/[^/]+\/\d+\?[a-z]{3}=[a-z]{5}$/);
      expect(item.author.email).toMatch(/@example\.com$/);
      expect(Number.isInteger(item.price)).toBe(false);
      expect(item.state === 'open').toBe(response.items[index]?.state === 'open');
    }
  });

  it('keeps counts, and the numbers of pages in addresses', () => {
    expect(replaced.total).toBe(250);
    const next = new URL(replaced.next);
    expect(next.pathname).toMatch(/^\/\w{3}\/\w{2}\/\w{5}$/);
    expect(Object.fromEntries(next.searchParams)).toMatchObject({ page: '2', per_page: '50' });
    expect(recording?.headers).toMatchObject({
      'content-type': 'application/json',
      'x-total': '250',
      link: expect.stringMatching(/^<https:\/\/host\d\.example\.com\/[^>]*page=2[^>]*>; rel="next"$/),
    });
  });

  it('replaces names of members that are values', () => {
    const { text: map = '' } =
      record({ 'ada@corporate.example': 1, 'Ada Lovelace': 2, '20260101': 3, adalove: 4, created: 4 }) ?? {};
    // The document reads a field of this name.
    expect(Object.keys(JSON.parse(map))).toContain('created');
    expect(map).not.toMatch(/corporate|Lovelace|adalove|20260101/i);
  });

  it('is at most 100,000 characters, or none', () => {
    const large = record({
      items: people(50).map((item) => ({
        ...item,
        pages: Array.from({ length: 30 }, () => 'long text '.repeat(60)),
      })),
    });
    expect(large?.text.length).toBeLessThanOrEqual(100_000);
    const wide = Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => [`f${index}`, 'text '.repeat(200)]),
    );
    expect(record({ items: [wide] })).toBeUndefined();
  });

  it('has no secret', () => {
    const secret = 'abcdefgh12345678';
    const echo = record(
      { items: [{ id: 1, title: `x ${secret}`, [secret]: 1 }] },
      { secret, headers: { 'x-total': secret } },
    );
    expect(JSON.stringify(echo)).not.toContain(secret);
  });

  it('keeps many short numbers unique', () => {
    const items = Array.from({ length: 90 }, (_, index) => ({ list: [{ id: 10 + index }] }));
    const short = record({
      items: {
        a: items.slice(0, 20),
        b: items.slice(20, 40),
        c: items.slice(40, 60),
        d: items.slice(60, 80),
        e: items.slice(80),
      },
    });
    const ids = [...(short?.text.matchAll(/"id":(\d+)/g) ?? [])].map(([, id]) => id);
    expect([ids.length, new Set(ids).size]).toEqual([90, 90]);
    for (const id of ids) expect(id).toMatch(/^\d\d$/);
  });
});
