import { describe, expect, it } from 'vitest';
import { CommitHistory } from './commit-history.ts';
import type { CommitFacts } from './record-facts.ts';

/** Returns a commit whose committer's time is `date`. */
function commit(sha: string, date: number, ...parents: string[]): CommitFacts {
  const person = { name: 'Ada', email: 'ada@sandbox.example', login: null, date };
  return { sha, parents, message: sha, author: person, committer: person, isVerified: false };
}

// a(1) ── b(5) ── m(9) ── h(10)
//   └── x(2) ── y(3) ──┘
const COMMITS = [
  commit('a', 1),
  commit('b', 5, 'a'),
  commit('x', 2, 'a'),
  commit('y', 3, 'x'),
  commit('m', 9, 'b', 'y'),
  commit('h', 10, 'm'),
];
const history = new CommitHistory(() => ({ commits: COMMITS, head: 'h' }));
const find = (sha: string) => history.find(sha) as CommitFacts;
const shas = (commits: readonly CommitFacts[]) => commits.map(({ sha }) => sha).join('');

describe('commit history', () => {
  it('logs by time, the newest first, with the commits of merged branches', () => {
    expect(shas(history.log(find('main')))).toBe('hmbyxa');
    expect(shas(history.log(find('b')))).toBe('ba');
  });

  it('compares with all commits that a merge brings, even if they are older than the base', () => {
    const ahead = history.compare(find('b'), find('h'));
    expect([shas(ahead?.ahead ?? []), ahead?.behind, ahead?.mergeBase.sha]).toEqual(['xymh', 0, 'b']);
    const behind = history.compare(find('h'), find('b'));
    expect([shas(behind?.ahead ?? []), behind?.behind, behind?.mergeBase.sha]).toEqual(['', 4, 'b']);
    const diverged = history.compare(find('b'), find('y'));
    expect([shas(diverged?.ahead ?? []), diverged?.behind, diverged?.mergeBase.sha]).toEqual(['xy', 1, 'a']);
    const same = history.compare(find('h'), find('h'));
    expect([shas(same?.ahead ?? []), same?.behind]).toEqual(['', 0]);
  });

  it('keeps commits known that a branch has left', () => {
    const moved = new CommitHistory(() => ({ commits: COMMITS, head: 'h' }));
    moved.move([commit('n', 11, 'm')], 'n');
    expect(shas(moved.log(moved.find('main') as CommitFacts))).toBe('nmbyxa');
    const comparison = moved.compare(moved.find('h') as CommitFacts, moved.find('main') as CommitFacts);
    expect([shas(comparison?.ahead ?? []), comparison?.behind]).toEqual(['n', 1]);
  });

  it('finds nothing in common between unrelated commits', () => {
    const other = new CommitHistory(() => ({ commits: [commit('a', 1), commit('z', 2)], head: 'z' }));
    expect(other.compare(other.find('a') as CommitFacts, other.find('z') as CommitFacts)).toBeUndefined();
  });
});
