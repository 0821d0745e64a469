import { SEARCHED_LENGTH, type SearchDefinition } from '../../sdk/search.ts';
import { repositoryNames, workDetails } from '../sql/search-sql.ts';

/** The search of issues. Reads the document's body only: its other fields may have any type. */
export const issueSearch: SearchDefinition = {
  document: '"body" text',
  texts: {
    A: `concat_ws(' ', r.title, '#' || r.number, r.number)`,
    B: `concat_ws(' ', r.author, r.repository)`,
    C: `concat_ws(' ', array_to_string(r.labels, ' '), array_to_string(r.assignees, ' '), r.milestone)`,
    D: `left(d."body", ${SEARCHED_LENGTH})`,
  },
  words: { author: 'r.author', subject: 'r.title' },
  names: { label: 'r.labels', repo: repositoryNames('r.repository') },
  states: { 'is:open': `r.state = 'open'`, 'is:closed': `r.state = 'closed'`, 'is:bot': 'r.is_bot' },
  person: 'r.author',
  people: 'array[r.author]',
  labels: 'r.labels',
  parts: `concat_ws(' ', left(r.title, 250), left(r.author, 100), left(r.repository, 150))`,
  excerpt: 'd."body"',
  isMarkdown: true,
  details: workDetails({
    kind: 'Issue',
    state: `case when r.state_reason = 'not_planned' then 'not planned' else r.state end`,
  }),
};
