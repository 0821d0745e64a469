import { NO_NAMES, SEARCHED_LENGTH, type SearchDefinition } from '../../sdk/search.ts';
import { repositoryNames, workDetails } from '../sql/search-sql.ts';

const message = `d."commit"->>'message'`;

/** The search of commits, by hash, message, and the names and addresses of authors. */
export const commitSearch: SearchDefinition = {
  document: '"commit" json',
  texts: {
    A: `concat_ws(' ', r.title, r.sha)`,
    B: `concat_ws(' ', r.author, r.author_name, r.author_email, r.repository)`,
    C: `concat_ws(' ', r.committer, r.committer_name, r.committer_email)`,
    D: `left(${message}, ${SEARCHED_LENGTH})`,
  },
  words: { author: `concat_ws(' ', r.author, r.author_name, r.author_email)`, subject: 'r.title' },
  names: { repo: repositoryNames('r.repository') },
  states: { 'is:bot': 'r.is_bot' },
  person: 'r.author',
  people: 'array[r.author, r.author_name, r.author_email]',
  labels: NO_NAMES,
  parts: `concat_ws(' ', left(r.title, 200), left(r.author, 80), left(r.author_email, 80), left(r.repository, 130))`,
  // The title is the first line.
  excerpt: `substring(${message} from '\\n\\s*(.*)')`,
  details: workDetails({
    kind: 'Commit',
    reference: `r.repository || ' ' || left(r.sha, 7)`,
    state: `case when r.is_merge then 'merge' end`,
  }),
};
