import type { DocumentEntity } from '@datadeck/contract/connector-document';
import {
  type JsonObject,
  NO_NAMES,
  type ReadingDefinition,
  SEARCHED_LENGTH,
  type SearchDefinition,
} from '../sdk/index.ts';
import { fieldAt } from './field-at.ts';
import { scalarText } from './scalar-text.ts';

const NO_TEXT = 'null::text';

const topOf = (path: string) => path.split('.')[0] ?? '';

/** Returns the text expression of a field of the document: `d."author" #>> '{name}'`. */
function fieldSql(path: string): string {
  const [top = '', ...rest] = path.split('.');
  return `d."${top}" #>> '{${rest.join(',')}}'`;
}

/** Returns how the records of an entity are searched. */
export function searchOf({ titleColumn, reading }: DocumentEntity): SearchDefinition {
  const { body, format, person, labels } = reading;
  const title = `r."${titleColumn}"`;
  const author = person === undefined ? NO_TEXT : `r."${person}"`;
  const tags = labels === undefined ? NO_NAMES : `r."${labels}"`;
  const raw = body === undefined ? NO_TEXT : fieldSql(body);
  // PostgreSQL repeats at most 255 times.
  const text = format === 'html' ? `regexp_replace(${raw}, '<[^>]{0,250}>', ' ', 'g')` : raw;
  return {
    document: `"${topOf(body ?? 'id')}" json`,
    texts: {
      A: title,
      B: author,
      C: `array_to_string(${tags}, ' ')`,
      D: `left(${text}, ${SEARCHED_LENGTH})`,
    },
    words: { author, subject: title },
    names: labels === undefined ? {} : { label: tags },
    states: {},
    person: author,
    people: person === undefined ? NO_NAMES : `array[${author}]`,
    labels: tags,
    parts: `concat_ws(' ', left(${title}, 250), left(${author}, 100))`,
    excerpt: text,
    ...(format === 'markdown' && { isMarkdown: true }),
  };
}

/** Returns the text of a field of a document; an empty one if it has none. */
function fieldText(document: JsonObject, path: string | undefined): string {
  if (path === undefined) return '';
  return scalarText(fieldAt(document, path)) ?? '';
}

/** Returns how a person reads a record of an entity. */
export function readingOf({ reading }: DocumentEntity): ReadingDefinition {
  const { body, format, address, facts } = reading;
  const paths = [body, address, ...facts.map(({ field }) => field)].filter((path) => path !== undefined);
  return {
    fields: [...new Set(['id', ...paths.map(topOf)])],
    read(document) {
      const text = fieldText(document, body);
      return {
        facts: facts.map(({ title, field }) => {
          const value = fieldText(document, field);
          return { title, values: value === '' ? [] : [value] };
        }),
        labels: [],
        text: format === 'html' ? '' : text,
        textFormat: format === 'markdown' ? 'markdown' : 'plain',
        html: format === 'html' && text !== '' ? text : null,
        isTruncated: false,
        url: fieldText(document, address) || null,
      };
    },
  };
}
