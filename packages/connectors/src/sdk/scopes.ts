import type { ProviderClient } from './provider-client.ts';
import { isStorable } from './storable.ts';

/** Largest number of scopes that `ScopeDefinition.list` yields. */
export const MAX_SCOPE_CHOICES = 10_000;
/** Longest name of a scope and longest pattern, characters. */
export const MAX_SCOPE_TEXT = 1000;

/** A scope that the account can see, as the picker lists it: `{ name: 'octocat/hello', group: 'octocat', isPrivate: false, … }`. */
export interface ScopeChoice {
  /** Unique within the account, in the provider's case: `Octo/hello`, `Archive/2026`, `INBOX`. */
  name: string;
  /** What a person reads: the full name of a repository, the decoded name of a mailbox, the name of a label. */
  title: string;
  /** Owner of a repository; '' without groups. */
  group: string;
  isPrivate: boolean;
  isFork: boolean;
  isArchived: boolean;
  /** Whether it is Trash or Junk or within one of them, which patterns may leave out. */
  isTrash: boolean;
  /** Records that the provider counts; null when it does not say without a request for each scope. */
  count: number | null;
  /** Instant (ISO) of the last push or message; null when unknown. */
  changedAt: string | null;
}

/** Parameters of `ScopeDefinition.list`. */
export interface ScopeListRequest {
  client: ProviderClient;
  /** Lists only what this pattern selects from; the caller still applies `selects`. */
  pattern?: string;
  signal: AbortSignal;
}

/** How an entity is divided into scopes, each of which one call of `read` reads. */
export interface ScopeDefinition {
  /** What one scope is called, e.g. `repository`. */
  one: string;
  /** What several are called, e.g. `repositories`. */
  many: string;
  /** Keys of the settings that select one scope, e.g. `['owner', 'repo']`. */
  settings: readonly string[];
  /** Returns the patterns that the picker offers, e.g. `{ pattern: 'octo/*', title: 'All repositories of octo' }`. */
  patterns(groups: readonly string[]): { pattern: string; title: string }[];
  /** Returns the name of the scope that settings select. Several labels are one scope, named by their sorted ids: `A,B`. */
  nameOf(settings: Readonly<Record<string, string>>): string;
  /** Returns the settings that select a scope. @param name a name without problems */
  settingsOf(name: string): Record<string, string>;
  /** Returns why a text is neither a name nor a pattern, as a sentence; undefined if it is one. */
  problemOf(text: string): string | undefined;
  /** Returns whether a text is a pattern, which no name is. */
  isPattern(text: string): boolean;
  /** Returns whether a pattern selects a scope. */
  selects(pattern: string, choice: ScopeChoice): boolean;
  /**
   * Yields the scopes that the account can see in batches, each once, the newest change first where the provider can; at
   * most `MAX_SCOPE_CHOICES`. Throws ProviderError.
   */
  list(request: ScopeListRequest): AsyncGenerator<ScopeChoice[]>;
}

/** Returns why a text cannot be the name of any scope, or a pattern; undefined if it may be one. */
export function scopeTextProblem(text: string): string | undefined {
  if (text === '') return 'A name is missing.';
  if (text.length > MAX_SCOPE_TEXT)
    return `A name has at most ${MAX_SCOPE_TEXT.toLocaleString('en')} characters.`;
  return /[\r\n]/.test(text) || !isStorable(text)
    ? 'A name has no line ends, NUL characters or halves of characters.'
    : undefined;
}

/** Collects the scopes that a listing has yielded, so that it yields each once and not too many. */
export class ScopeBatches {
  readonly #names = new Set<string>();

  /** Whether no more scopes are wanted. */
  get isFull(): boolean {
    return this.#names.size >= MAX_SCOPE_CHOICES;
  }

  /** Returns the choices that are new, up to the largest number of all batches. */
  add(choices: readonly ScopeChoice[]): ScopeChoice[] {
    return choices.filter(({ name }) => {
      if (this.isFull || this.#names.has(name)) return false;
      this.#names.add(name);
      return true;
    });
  }
}
