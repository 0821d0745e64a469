import type { EntityAccount, SyncProgress, UserEntity } from '@datadeck/contract';
import { formatDay } from '../../ui/date-time.tsx';
import { countOf, formatCount } from '../../ui/duration.ts';
import { idsOf } from './ids-of.ts';

type NamedEntity = Pick<UserEntity, 'scopes' | 'valueNames'>;

/** `octo/*`, `octo/* -forks -archived`, `*` or `* -trash`. */
const PATTERN = /^(?:(.+)\/)?\*((?: -[a-z]+)*)$/;
const LEFT_OUT: Readonly<Record<string, string>> = {
  '-forks': 'forks',
  '-archived': 'archived ones',
  '-trash': 'Trash and Junk',
};
/** Number of names in a sentence. */
const NAMED = 3;

/** The group that a pattern selects from, and what it leaves out: `{ group: 'octo', leftOut: ['-forks'] }`. */
export interface ScopePattern {
  group: string;
  leftOut: string[];
}

/** Parses a pattern; null for a name. */
export function parsePattern(text: string): ScopePattern | null {
  const found = PATTERN.exec(text);
  return found && { group: found[1] ?? '', leftOut: (found[2] ?? '').split(' ').filter(Boolean) };
}

/** Counts scopes in the entity's own words: `6 repositories`. */
export function countScopes(count: number, { scopes }: NamedEntity): string {
  return countOf(count, scopes?.one ?? '', scopes?.many ?? '');
}

/** Returns what people read for a name or pattern: `octo/hello`, `Receipts`, `All repositories of octo without forks`. */
export function scopeTitle(text: string, { scopes, valueNames = {} }: NamedEntity): string {
  const pattern = parsePattern(text);
  if (pattern) {
    const leftOut = pattern.leftOut.map((option) => LEFT_OUT[option] ?? option.slice(1)).join(' and ');
    const group = pattern.group === '' ? '' : ` of ${pattern.group}`;
    return `All ${scopes?.many ?? ''}${group}${leftOut && ` without ${leftOut}`}`;
  }
  const names = new Map(
    Object.values(valueNames)
      .flat()
      .map(({ id, name }) => [id, name]),
  );
  const ids = idsOf(text);
  return ids.every((id) => names.has(id)) ? ids.map((id) => names.get(id)).join(', ') : text;
}

/** Lists the first of several titles: `a, b and 7 more`. @param count number of all */
function listInWords(titles: readonly string[], count: number): string {
  const rest = count - titles.length;
  return titles.join(', ') + (rest > 0 ? ` and ${formatCount(rest)} more` : '');
}

/** Lists the first of several scopes by what people read for them: `octo/hello, Receipts and 7 more`. @param count number of all */
export function namesInWords(names: readonly string[], count: number, entity: NamedEntity): string {
  return listInWords(
    names.map((name) => scopeTitle(name, entity)),
    count,
  );
}

/** Begins the sentence about the day since which a sync reads: `Only mails that arrived since`. */
export function sinceInWords({ isMail, title }: Pick<UserEntity, 'isMail' | 'title'>): string {
  return `${isMail ? 'Only mails that arrived' : `Only ${title.toLowerCase()} updated`} since`;
}

/** Describes a list of names and patterns: `6 repositories: a, b, c and 3 more`, `All repositories of octo, a and 2 more`. */
export function scopesInWords(texts: readonly string[], entity: NamedEntity): string {
  const isPattern = (text: string) => parsePattern(text) !== null;
  const sorted = [...texts.filter(isPattern), ...texts.filter((text) => !isPattern(text))];
  const titles = sorted.slice(0, NAMED).map((text, index) => {
    const title = scopeTitle(text, entity);
    return index > 0 && isPattern(text) ? title.charAt(0).toLowerCase() + title.slice(1) : title;
  });
  const named = listInWords(titles, texts.length);
  // The number of scopes that a pattern selects is known only to a run.
  return texts.some(isPattern) ? named : `${countScopes(texts.length, entity)}: ${named}`;
}

/** Describes what the syncs of a source read: `6 repositories: a, b, c and 3 more · since Jan 1, 2026`. */
export function sourceInWords(source: NonNullable<EntityAccount['source']>, entity: NamedEntity): string {
  const since = source.since === null ? '' : ` · since ${formatDay(source.since)}`;
  return scopesInWords(source.scopes, entity) + since;
}

interface ScopedSync {
  scopes?: string[] | undefined;
  progress?: SyncProgress | null;
  summary?: { scopes?: { count: number; failedCount: number } | undefined };
}

/** Describes what a sync over a list of scopes reads or read: `12 repositories, 2 failed`; empty for a sync of one scope. */
export function syncScopesInWords({ scopes, progress, summary }: ScopedSync, entity: NamedEntity): string {
  if (!scopes || !entity.scopes) return '';
  const { count = progress?.scope?.count, failedCount = 0 } = summary?.scopes ?? {};
  const [only] = scopes;
  if (only !== undefined && scopes.length === 1 && !parsePattern(only) && failedCount === 0)
    return scopeTitle(only, entity);
  if (count === undefined) return scopesInWords(scopes, entity);
  return countScopes(count, entity) + (failedCount > 0 ? `, ${formatCount(failedCount)} failed` : '');
}

/** Removes the name from a message of the server that begins with it. */
export function messageOf({ name, message }: { name: string; message: string }): string {
  return message.startsWith(`${name}: `) ? message.slice(name.length + 2) : message;
}

/** Groups the names of scopes by their message, so that a message that many have is read once. */
export function groupByMessage(
  scopes: readonly { name: string; message: string }[],
  entity: NamedEntity,
): { titles: string; message: string }[] {
  const groups = new Map<string, string[]>();
  for (const scope of scopes) {
    const message = messageOf(scope);
    groups.set(message, [...(groups.get(message) ?? []), scopeTitle(scope.name, entity)]);
  }
  return [...groups].map(([message, titles]) => ({ titles: titles.join(', '), message }));
}
