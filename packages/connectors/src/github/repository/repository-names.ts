import { matchesPattern } from '@datadeck/contract';
import { scopeTextProblem } from '../../sdk/index.ts';

/** Patterns of the settings. Logins of enterprises have underscores. */
export const OWNER_PATTERN = '[A-Za-z0-9_\\-]{1,100}';
/** Allows dots like GitHub, except '.' and '..', which would change the URL path. */
export const REPOSITORY_PATTERN = '(?!\\.{1,2}$)[A-Za-z0-9_.\\-]{1,100}';

/** A repository: its full name, e.g. `octocat/hello-world`, and its path in the API. */
export interface Repository {
  name: string;
  path: string;
}

/** Returns the repository that settings name. */
export function repositoryOf(settings: Readonly<Record<string, string>>): Repository {
  const owner = (settings.owner ?? '').trim();
  const repo = (settings.repo ?? '').trim();
  return {
    name: `${owner}/${repo}`,
    path: `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(repo)}`,
  };
}

/** Returns the settings of a repository by its full name. */
export function settingsOf(name: string): { owner: string; repo: string } {
  const slash = name.indexOf('/');
  return { owner: name.slice(0, slash), repo: name.slice(slash + 1) };
}

/** Returns whether a text is the full name of a repository, e.g. `octocat/hello-world`. */
export function isRepositoryName(text: string): boolean {
  const { owner, repo } = settingsOf(text);
  return (
    text.includes('/') && matchesPattern(owner, OWNER_PATTERN) && matchesPattern(repo, REPOSITORY_PATTERN)
  );
}

/** Ends of patterns: all repositories of an owner, without forks, without archived ones, without both. */
const PATTERN_ENDS = ['/* -forks -archived', '/* -forks', '/* -archived', '/*'] as const;

/** Returns whether a text is a pattern: `octocat/*`, optionally with ` -forks` and then ` -archived`. */
export function isRepositoryPattern(text: string): boolean {
  return ownerOf(text) !== undefined;
}

/** Returns the owner in a pattern; undefined if the text is none. */
export function ownerOf(pattern: string): string | undefined {
  const end = PATTERN_ENDS.find((one) => pattern.endsWith(one));
  const owner = end === undefined ? '' : pattern.slice(0, -end.length);
  return owner !== '' && matchesPattern(owner, OWNER_PATTERN) ? owner : undefined;
}

/** Returns what a pattern leaves out. */
export function leftOutBy(pattern: string): { forks: boolean; archived: boolean } {
  const words = pattern.slice(pattern.indexOf('/')).split(' ');
  return { forks: words.includes('-forks'), archived: words.includes('-archived') };
}

/** Returns why a text is neither the name of a repository nor a pattern; undefined if it is one. */
export function repositoryTextProblem(text: string): string | undefined {
  if (isRepositoryName(text) || isRepositoryPattern(text)) return undefined;
  return (
    scopeTextProblem(text) ??
    'A repository is written as owner/name, all repositories of an owner as owner/*, optionally followed by -forks and -archived.'
  );
}
