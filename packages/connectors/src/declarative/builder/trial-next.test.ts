import type { DocumentPagination } from '@datadeck/contract/connector-document';
import { describe, expect, it } from 'vitest';
import { trialNext } from './trial-next.ts';
import type { TrialPageTask } from './trial-task.ts';

const PAGINATIONS: Record<string, DocumentPagination> = {
  none: { kind: 'none' },
  page: { kind: 'page', parameter: 'page', first: 1, size: 10, end: 'empty-page' },
  'page, to a shorter one': { kind: 'page', parameter: 'page', first: 1, size: 10, end: 'short-page' },
  'offset, to a shorter page': { kind: 'offset', parameter: 'offset', size: 10, end: 'short-page' },
  cursor: { kind: 'cursor', in: 'query', parameter: 'after', next: 'response.token' },
  address: { kind: 'address', next: 'response.links.following' },
  link: { kind: 'link' },
};

/** Answers that say that there is more, in a way that no pagination above reads, unless named. */
const SIGNS: Record<string, { response: object; link?: string; total?: number; readBy?: string }> = {
  link: { response: {}, link: '</items?page=2>; rel="next"', readBy: 'link' },
  'an address': { response: { next: 'https://api.example.com/items?page=2' } },
  'a nested address': { response: { meta: { pagination: { links: { next: '/items?page=2' } } } } },
  'a cursor': { response: { next_cursor: 'abc' } },
  'a nested cursor': { response: { response_metadata: { next_cursor: 'abc' } } },
  'a sign': { response: { has_more: true } },
  'a total': { response: {}, total: 30 },
};

/** Returns what a trial reports of an answer with 4 records. */
function reportsOf(pagination: DocumentPagination, { response, link, total }: (typeof SIGNS)[string]) {
  const reports: string[] = [];
  const task = {
    request: { path: '/items', query: {}, headers: {}, body: null },
    answer: { bytes: new Uint8Array(), headers: link === undefined ? {} : { link } },
    answered: 'https://api.example.com/items',
    apiUrl: 'https://api.example.com',
  } as unknown as TrialPageTask;
  const following = trialNext(task, { pagination, count: 4, next: undefined, total, response }, (message) =>
    reports.push(message),
  );
  return { following, reports };
}

describe('a trial of the next page', () => {
  for (const [name, pagination] of Object.entries(PAGINATIONS)) {
    it.each(Object.entries(SIGNS))(
      `follows, or reports, what says that there is more: ${name}, %s`,
      (_, sign) => {
        const { following, reports } = reportsOf(pagination, sign);
        const isFollowed = name === 'page' || name === sign.readBy;
        expect(following !== null).toBe(isFollowed);
        expect(reports.length > 0).toBe(!isFollowed);
      },
    );
    it(`reports nothing of an answer that is the last: ${name}`, () => {
      const signs = { response: { next: null, next_cursor: '', has_more: false }, total: 4 };
      expect(reportsOf(pagination, signs).reports).toEqual([]);
    });
  }

  it('reports no cursor that the expression reads and leaves out', () => {
    const next = 'response.more ? response.next_cursor';
    const pagination = { kind: 'cursor', in: 'query', parameter: 'after', next } as const;
    expect(reportsOf(pagination, { response: { more: false, next_cursor: 'abc' } }).reports).toEqual([]);
  });
});
