import { NO_NAMES, SEARCHED_LENGTH, type SearchDefinition } from '../../sdk/search.ts';
import { repositoryNames, workDetails } from '../sql/search-sql.ts';

/** The search of reviews, by their own texts and the titles of their pull requests. */
export const reviewSearch: SearchDefinition = {
  document: '"body" text',
  texts: {
    A: `concat_ws(' ', r.title, '#' || r.number, r.number)`,
    B: `concat_ws(' ', r.author, r.pull_author, r.repository)`,
    D: `left(d."body", ${SEARCHED_LENGTH})`,
  },
  words: { author: 'r.author', subject: 'r.title' },
  names: { repo: repositoryNames('r.repository') },
  states: {
    'is:approved': `r.state = 'APPROVED'`,
    'is:changes-requested': `r.state = 'CHANGES_REQUESTED'`,
    'is:bot': 'r.is_bot',
  },
  person: 'r.author',
  people: 'array[r.author]',
  labels: NO_NAMES,
  parts: `concat_ws(' ', left(r.title, 250), left(r.author, 100), left(r.repository, 150))`,
  excerpt: 'd."body"',
  isMarkdown: true,
  details: workDetails({ kind: 'Review', state: 'r.state' }),
};
