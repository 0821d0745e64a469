import { describe, expect, it } from 'vitest';
import { scopesInWords, scopeTitle, sourceInWords, syncScopesInWords } from './source-words.ts';

const PULLS = { scopes: { one: 'repository', many: 'repositories', limit: 100 } };
const MAILS = {
  scopes: { one: 'label', many: 'labels', limit: null },
  valueNames: {
    labelIds: [
      { id: 'Label_1', name: 'Receipts' },
      { id: 'INBOX', name: 'Inbox' },
    ],
  },
};
const MAILBOXES = { scopes: { one: 'mailbox', many: 'mailboxes', limit: 100 } };

describe('scopeTitle', () => {
  it.each([
    ['octo/hello', PULLS, 'octo/hello'],
    ['octo/*', PULLS, 'All repositories of octo'],
    ['octo/* -forks -archived', PULLS, 'All repositories of octo without forks and archived ones'],
    ['* -trash', MAILBOXES, 'All mailboxes without Trash and Junk'],
    ['Archive, 2026', MAILBOXES, 'Archive, 2026'],
    ['INBOX,Label_1', MAILS, 'Inbox, Receipts'],
    ['Label_9', MAILS, 'Label_9'],
  ])('names %s', (text, entity, title) => {
    expect(scopeTitle(text, entity)).toBe(title);
  });
});

describe('scopesInWords', () => {
  it.each([
    [['octo/a'], '1 repository: octo/a'],
    [['a/a', 'a/b', 'a/c', 'a/d', 'a/e', 'a/f'], '6 repositories: a/a, a/b, a/c and 3 more'],
    [
      ['a/a', 'octo/*', 'other/* -forks'],
      'All repositories of octo, all repositories of other without forks, a/a',
    ],
  ])('describes %j', (texts, words) => {
    expect(scopesInWords(texts, PULLS)).toBe(words);
  });

  it('adds the day since which a source reads', () => {
    const source = { scopes: ['octo/a', 'octo/b'], since: '2026-01-01' };
    expect(sourceInWords(source, PULLS)).toBe('2 repositories: octo/a, octo/b · since Jan 1, 2026');
  });
});

describe('syncScopesInWords', () => {
  const scope = { name: 'octo/a', place: 3, count: 12 };
  const progress = { phase: 'fetching' as const, records: 0, total: null, rate: 0, retryAt: null, scope };
  it.each([
    [{ scopes: ['octo/*'], summary: { scopes: { count: 12, failedCount: 2 } } }, '12 repositories, 2 failed'],
    [{ scopes: ['octo/*'], progress }, '12 repositories'],
    [{ scopes: ['octo/*'] }, 'All repositories of octo'],
    [{ scopes: ['octo/a'], summary: { scopes: { count: 1, failedCount: 0 } } }, 'octo/a'],
    [{}, ''],
  ])('describes %j', (sync, words) => {
    expect(syncScopesInWords(sync, PULLS)).toBe(words);
  });
});
