import { NO_NAMES, SEARCHED_LENGTH, type SearchDefinition } from '../../sdk/search.ts';
import { repositoryNames, workDetails } from '../sql/search-sql.ts';

/** The search of repositories, by name, owner, language, topics and description. */
export const repositorySearch: SearchDefinition = {
  document: '"description" text',
  texts: {
    A: `concat_ws(' ', r.full_name, r.name)`,
    B: `concat_ws(' ', r.owner_login, r.language)`,
    C: `array_to_string(r.topics, ' ')`,
    D: `left(d."description", ${SEARCHED_LENGTH})`,
  },
  words: { author: 'r.owner_login', subject: 'r.full_name' },
  names: { repo: repositoryNames('r.full_name') },
  states: { 'is:archived': 'r.archived', 'is:private': 'r.private', 'is:fork': 'r.is_fork' },
  person: 'r.owner_login',
  people: 'array[r.owner_login]',
  labels: NO_NAMES,
  parts: `concat_ws(' ', left(r.full_name, 300), left(r.language, 50))`,
  excerpt: 'd."description"',
  details: workDetails({
    kind: 'Repository',
    reference: 'r.language',
    state: `case when r.archived then 'archived' when r.private then 'private' end`,
  }),
};
