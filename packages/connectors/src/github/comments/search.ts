import { NO_NAMES, SEARCHED_LENGTH, type SearchDefinition } from '../../sdk/search.ts';
import { repositoryNames, workDetails } from '../sql/search-sql.ts';

/** The search of comments. `filename:` finds those at a line of a file. */
export const commentSearch: SearchDefinition = {
  document: '"body" text',
  texts: {
    B: `concat_ws(' ', r.author, r.repository, '#' || r.number, r.number)`,
    C: 'r.path',
    D: `left(d."body", ${SEARCHED_LENGTH})`,
  },
  words: { author: 'r.author', filename: 'r.path' },
  names: { repo: repositoryNames('r.repository') },
  states: { 'is:bot': 'r.is_bot' },
  person: 'r.author',
  people: 'array[r.author]',
  labels: NO_NAMES,
  parts: `concat_ws(' ', left(r.path, 250), left(r.author, 100), left(r.repository, 150))`,
  excerpt: 'd."body"',
  isMarkdown: true,
  details: workDetails({ kind: 'Comment', state: 'null::text' }),
};
