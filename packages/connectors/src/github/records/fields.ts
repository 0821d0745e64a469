import { z } from 'zod';
import { textOfMarkdown } from '../../sdk/markdown-text.ts';
import { storable } from '../../sdk/storable.ts';
import type { ColumnDefinition } from '../../sdk/table.ts';

/** Author of a record whose account was deleted; GitHub's own name for it. */
export const GHOST = 'ghost';
/** State of a record without one. */
export const UNKNOWN_STATE = 'unknown';

/** A text; undefined for other types. Real responses violate the published schemas. */
export const text = z.string().nullish().catch(undefined);
/** A person with a login; undefined for other values. */
export const login = z.object({ login: z.string(), type: text }).nullish().catch(undefined);
/** An object with a name; undefined for other values. */
export const named = z.object({ name: text }).nullish().catch(undefined);

type Person = z.infer<typeof login>;

/** Returns the login of a person, `ghost` for a deleted one. */
export function loginOf(person: Person): string {
  return person?.login ?? GHOST;
}

/** Returns whether an account is a bot: by its type, or by the end of its login, as GitHub names apps. */
export function isBot(person: Person): boolean {
  return person?.type === 'Bot' || person?.login.endsWith('[bot]') === true;
}

/** Returns the names of labels or teams, without those that have none; an empty array for a missing list. */
export function namesOf(list: z.infer<typeof named>[] | null | undefined): string[] {
  return (list ?? []).flatMap((item) => (item?.name ? [item.name] : []));
}

/** Returns a column that copies an instant of GitHub, which has whole seconds in UTC. */
export function instantColumn(...copies: string[]): ColumnDefinition {
  return { type: 'timestamptz', copies, fractionDigits: 0 };
}

/** Returns a column that copies the login of a person, or is `ghost`. */
export function loginColumn(...copies: string[]): ColumnDefinition {
  return { type: 'text', copies: [...copies, 'login'], standIns: [GHOST] };
}

/** What precedes the repository in an address of the API. */
const REPOS = '/repos/';
/** Longest part of an address that names a repository and a number, UTF-16 units. */
const PLACE_LENGTH = 420;
const PLACE = /^([^/?#]+\/[^/?#]+)(?:\/(?:issues|pulls)\/(\d{1,9}))?(?=[/?#]|$)/;

/** Returns the repository and the number that an address of the API names; undefined for those that it has not. */
export function placeOf(url: string | null | undefined): {
  repository: string | undefined;
  number: number | undefined;
} {
  const at = url?.indexOf(REPOS) ?? -1;
  const place = at < 0 ? '' : (url ?? '').slice(at + REPOS.length, at + REPOS.length + PLACE_LENGTH);
  const [, repository, number] = PLACE.exec(place) ?? [];
  return { repository, number: number === undefined ? undefined : Number(number) };
}

/** Length of the start of a text that names a record, UTF-16 units. */
const TITLE_LENGTH = 120;
/** Length of what is read of a text for its start: quotes may come before. */
const READ_LENGTH = 4000;

/** Returns the first words of a Markdown text in one line, without those that it quotes; an empty text without any. */
export function startOfText(markdown: string | null | undefined): string {
  const lines = (markdown ?? '').slice(0, READ_LENGTH).split('\n');
  const own = lines.filter((line) => !/^ {0,3}>/.test(line)).join('\n');
  const words = textOfMarkdown(own).replaceAll(/\s+/g, ' ').trim();
  if (words.length <= TITLE_LENGTH) return storable(words);
  // Not between the halves of a character.
  return storable(`${words.slice(0, TITLE_LENGTH - 1).replace(/[\ud800-\udbff]$/, '')}…`);
}
