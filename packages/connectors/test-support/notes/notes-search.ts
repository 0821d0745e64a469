import { type ReadingDefinition, readText, type SearchDefinition } from '../../src/sdk/index.ts';

/** The search of notes. */
export const NOTES_SEARCH: SearchDefinition = {
  document: '"title" text',
  texts: { A: 'd."title"' },
  words: { author: "'ada'" },
  names: {},
  states: {},
  person: "'ada'",
  people: "array['ada']",
  labels: "'{}'::text[]",
  parts: 'd."title"',
  excerpt: 'd."title"',
};

/** The reading of notes. */
export const NOTES_READING: ReadingDefinition = {
  fields: ['title'],
  read: ({ title }) => ({
    facts: [],
    labels: [],
    text: readText(title),
    textFormat: 'plain',
    html: null,
    isTruncated: false,
    url: null,
  }),
};
