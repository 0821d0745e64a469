import { type JsonObject, readObjects, readText } from '../../sdk/index.ts';
import { placeOf } from './fields.ts';

/** Longest names of a repository and a label, UTF-16 units. */
export const NAME_LENGTH = 200;

/** Returns an object; an empty one for other types. */
export function objectIn(value: unknown): JsonObject {
  return readObjects([value])[0] ?? {};
}

/** Returns one text field of an object; an empty text for other types. */
export function textIn(value: unknown, field: string): string {
  return readText(objectIn(value)[field]);
}

/** Returns a list of a text, without an empty one. */
export function unlessEmpty(text: string): string[] {
  return text === '' ? [] : [text];
}

/** Returns the texts that a field has in the objects of a list. */
export function namesOf(list: unknown, field: string): string[] {
  return readObjects(list).flatMap((item) => unlessEmpty(readText(item[field])));
}

/** Returns a number as people read it, `1,234`; an empty text for other values. */
export function numberText(value: unknown): string {
  return Number.isFinite(value) ? (value as number).toLocaleString('en') : '';
}

/** Returns a word of GitHub as people read it: `changes_requested` is `Changes requested`. */
export function wordText(value: unknown): string {
  const words = readText(value).slice(0, NAME_LENGTH).toLowerCase().replaceAll('_', ' ').toWellFormed();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Returns repository and number in one text, e.g. `octocat/hello-world #42`. */
export function referenceOf(repository: string, number: unknown): string {
  const shown = typeof number === 'number' ? `#${number}` : '';
  return `${repository.slice(0, NAME_LENGTH)} ${shown}`.trim().toWellFormed();
}

/** Returns the reference of what an address of the API names: `octocat/hello-world #42`. */
export function referenceOfUrl(url: unknown): string {
  const { repository = '', number } = placeOf(readText(url));
  return referenceOf(repository, number);
}

/** Returns a hash as GitHub shows it: its first seven digits. */
export function shortHash(hash: unknown): string {
  return readText(hash).slice(0, 7).toWellFormed();
}
