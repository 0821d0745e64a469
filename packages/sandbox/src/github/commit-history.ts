import type { CommitFacts } from './record-facts.ts';

/** The name of the default branch of all repositories. */
export const DEFAULT_BRANCH = 'main';

/** The commits of a repository, and the head of its default branch; undefined if it is empty. */
export interface History {
  commits: CommitFacts[];
  head: string | undefined;
}

/** The difference between two commits. */
export interface Comparison {
  /** Commits of the head that the base does not have, the oldest first. */
  ahead: CommitFacts[];
  /** Number of commits of the base that the head does not have. */
  behind: number;
  mergeBase: CommitFacts;
}

/** Number of heads whose logs are kept. */
const MAX_KEPT = 8;

/** The commits of a repository and how they follow each other. Commits stay known after a branch has left them. */
export class CommitHistory {
  readonly #load: () => History;
  readonly #logs = new Map<string, CommitFacts[]>();
  #state: { commits: Map<string, CommitFacts>; head: string | undefined } | undefined;

  constructor(load: () => History) {
    this.#load = load;
  }

  get #known() {
    if (this.#state) return this.#state;
    const { commits, head } = this.#load();
    this.#state = { commits: new Map(commits.map((commit) => [commit.sha, commit])), head };
    return this.#state;
  }

  get head(): CommitFacts | undefined {
    return this.#known.commits.get(this.#known.head ?? '');
  }

  /** Returns a commit by its hash, at least seven digits of it, or by the name of the default branch. */
  find(ref: string): CommitFacts | undefined {
    if (ref === DEFAULT_BRANCH || ref === `refs/heads/${DEFAULT_BRANCH}`) return this.head;
    const { commits } = this.#known;
    const exact = commits.get(ref);
    if (exact || !/^[0-9a-f]{7,39}$/.test(ref)) return exact;
    return [...commits.values()].find(({ sha }) => sha.startsWith(ref));
  }

  /** Returns a commit and all before it, like `git log`: by the committer's time, the newest first, after its children. */
  log(from: CommitFacts): readonly CommitFacts[] {
    const kept = this.#logs.get(from.sha);
    if (kept) return kept;
    const { commits } = this.#known;
    const log: CommitFacts[] = [];
    const seen = new Set([from.sha]);
    // Sorted by time; the newest is at the end.
    const waiting = [from];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      log.push(next);
      for (const sha of next.parents) {
        const parent = commits.get(sha);
        if (!parent || seen.has(sha)) continue;
        seen.add(sha);
        const { date } = parent.committer;
        let at = waiting.length;
        while (at > 0 && (waiting[at - 1]?.committer.date ?? 0) >= date) at--;
        waiting.splice(at, 0, parent);
      }
    }
    this.#logs.set(from.sha, log);
    if (this.#logs.size > MAX_KEPT) this.#logs.delete(this.#logs.keys().next().value ?? '');
    return log;
  }

  /** Compares two commits; undefined if they have no common ancestor. */
  compare(base: CommitFacts, head: CommitFacts): Comparison | undefined {
    const [baseLog, headLog] = [this.log(base), this.log(head)];
    const [inBase, inHead] = [baseLog, headLog].map((log) => new Set(log.map(({ sha }) => sha)));
    const mergeBase = headLog.find(({ sha }) => inBase?.has(sha));
    if (!mergeBase) return undefined;
    return {
      ahead: headLog.filter(({ sha }) => !inBase?.has(sha)).reverse(),
      behind: baseLog.filter(({ sha }) => !inHead?.has(sha)).length,
      mergeBase,
    };
  }

  /** Adds commits and moves the default branch to `head`. */
  move(added: readonly CommitFacts[], head: string): void {
    const known = this.#known;
    for (const commit of added) known.commits.set(commit.sha, commit);
    known.head = head;
  }
}
