import type { ScopeDefinition } from '../../sdk/index.ts';
import { listRepositories } from './repository-list.ts';
import {
  isRepositoryPattern,
  leftOutBy,
  ownerOf,
  repositoryOf,
  repositoryTextProblem,
  settingsOf,
} from './repository-names.ts';

/** What each owner's patterns leave out. */
const VARIANTS: readonly { suffix: string; words: string }[] = [
  { suffix: '', words: '' },
  { suffix: ' -forks', words: ' without forks' },
  { suffix: ' -archived', words: ' without archived ones' },
  { suffix: ' -forks -archived', words: ' without forks and archived ones' },
];

/** The repositories of a source of pull requests. */
export const repositoryScopes: ScopeDefinition = {
  one: 'repository',
  many: 'repositories',
  settings: ['owner', 'repo'],
  patterns: (groups) =>
    groups.flatMap((owner) =>
      VARIANTS.map(({ suffix, words }) => ({
        pattern: `${owner}/*${suffix}`,
        title: `All repositories of ${owner}${words}`,
      })),
    ),
  nameOf: (settings) => repositoryOf(settings).name,
  settingsOf,
  problemOf: repositoryTextProblem,
  isPattern: isRepositoryPattern,
  selects(pattern, { group, isFork, isArchived }) {
    const owner = ownerOf(pattern);
    if (owner === undefined || owner.toLowerCase() !== group.toLowerCase()) return false;
    const leftOut = leftOutBy(pattern);
    return !(leftOut.forks && isFork) && !(leftOut.archived && isArchived);
  },
  list: listRepositories,
};
