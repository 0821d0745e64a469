import { NO_NAMES, SEARCHED_LENGTH, type SearchDefinition } from '../../sdk/search.ts';
import { repositoryNames, workDetails } from '../sql/search-sql.ts';

/** The search of releases. */
export const releaseSearch: SearchDefinition = {
  document: '"body" text',
  texts: {
    A: `concat_ws(' ', r.title, r.tag)`,
    B: `concat_ws(' ', r.author, r.repository)`,
    D: `left(d."body", ${SEARCHED_LENGTH})`,
  },
  words: { author: 'r.author', subject: 'r.title' },
  names: { repo: repositoryNames('r.repository') },
  states: { 'is:draft': 'r.draft', 'is:prerelease': 'r.prerelease', 'is:bot': 'r.is_bot' },
  person: 'r.author',
  people: 'array[r.author]',
  labels: NO_NAMES,
  parts: `concat_ws(' ', left(r.title, 200), left(r.tag, 50), left(r.author, 100), left(r.repository, 150))`,
  excerpt: 'd."body"',
  isMarkdown: true,
  details: workDetails({
    kind: 'Release',
    reference: `r.repository || ' ' || r.tag`,
    state: `case when r.draft then 'draft' when r.prerelease then 'pre-release' end`,
  }),
};
