import { NO_NAMES, SEARCHED_LENGTH, type SearchDefinition } from '../../sdk/search.ts';
import { repositoryNames, workDetails } from '../sql/search-sql.ts';

const message = `d."head_commit"->>'message'`;

/** The search of workflow runs, by workflow, branch, commit and the message of the commit. */
export const runSearch: SearchDefinition = {
  document: '"head_commit" json',
  texts: {
    A: `concat_ws(' ', r.title, r.workflow, '#' || r.number, r.number)`,
    B: `concat_ws(' ', r.actor, r.repository, r.branch, r.sha)`,
    C: `concat_ws(' ', r.event, r.conclusion)`,
    D: `left(${message}, ${SEARCHED_LENGTH})`,
  },
  words: { author: 'r.actor', subject: 'r.title' },
  names: { repo: repositoryNames('r.repository') },
  states: {
    'is:failed': `r.conclusion in ('failure', 'timed_out', 'startup_failure')`,
    'is:passed': `r.conclusion = 'success'`,
    'is:bot': 'r.is_bot',
  },
  person: 'r.actor',
  people: 'array[r.actor]',
  labels: NO_NAMES,
  parts: `concat_ws(' ', left(r.title, 200), left(r.workflow, 80), left(r.branch, 80), left(r.repository, 130))`,
  excerpt: `concat_ws(' · ', left(r.workflow, 200), left(r.branch, 200), left(r.event, 50))`,
  details: workDetails({
    kind: 'Workflow run',
    reference: 'r.repository',
    state: 'coalesce(r.conclusion, r.status)',
  }),
};
