import type { SearchDefinition } from '../../sdk/index.ts';
import { repositoryNames } from '../sql/search-sql.ts';

/** The search of pull requests. Reads the document's body only: its other fields may have any type. */
export const pullSearch: SearchDefinition = {
  document: '"body" text',
  texts: {
    A: `concat_ws(' ', r.title, '#' || r.number, r.number)`,
    B: `concat_ws(' ', r.author, r.repository)`,
    C: `array_to_string(r.labels, ' ')`,
    D: 'left(d."body", 65536)',
  },
  words: { author: 'r.author', subject: 'r.title' },
  names: {
    label: 'r.labels',
    repo: repositoryNames('r.repository'),
  },
  states: {
    'is:open': `r.state = 'open'`,
    'is:closed': `r.state = 'closed'`,
    'is:merged': 'r.merged_at is not null',
    'is:draft': 'r.draft',
    'is:bot': `r.author like '%[bot]'`,
  },
  person: 'r.author',
  people: 'array[r.author]',
  labels: 'r.labels',
  parts: `concat_ws(' ', left(r.title, 250), left(r.author, 100), left(r.repository, 150))`,
  excerpt: 'd."body"',
  isMarkdown: true,
  details: `json_build_object('pull', json_build_object('reference', left(coalesce(r.repository, ''), 140) || ' #' || r.number,
    'state', case when r.merged_at is not null then 'merged' when r.state in ('open', 'closed') then r.state else 'unknown' end,
    'isDraft', coalesce(r.draft, false),
    'isReviewRequested', coalesce(r.state = 'open' and cardinality(r.reviewers) > 0, false)))`,
};
