import { type JsonObject, type ReadingDefinition, readText, readTexts } from '../../sdk/index.ts';
import { numberText, textIn, unlessEmpty } from '../records/reading-fields.ts';

/** Returns what is special about a repository: `Private`, `Fork`, `Archived`. */
function stateOf({ private: isPrivate, fork, archived }: JsonObject): string {
  const first = typeof isPrivate === 'boolean' ? [isPrivate ? 'Private' : 'Public'] : [];
  return [...first, ...(fork === true ? ['fork'] : []), ...(archived === true ? ['archived'] : [])].join(
    ', ',
  );
}

/** The reading of repositories. Their topics are labels. */
export const repositoryReading: ReadingDefinition = {
  fields: [
    'owner',
    'private',
    'fork',
    'archived',
    'language',
    'stargazers_count',
    'forks_count',
    'open_issues_count',
    'default_branch',
    'license',
    'homepage',
    'topics',
    'description',
    'html_url',
  ],
  read(repository) {
    return {
      facts: [
        { title: 'Owner', values: unlessEmpty(textIn(repository.owner, 'login')) },
        { title: 'Visibility', values: unlessEmpty(stateOf(repository)) },
        { title: 'Language', values: unlessEmpty(readText(repository.language)) },
        { title: 'Stars', values: unlessEmpty(numberText(repository.stargazers_count)) },
        { title: 'Forks', values: unlessEmpty(numberText(repository.forks_count)) },
        {
          title: 'Open issues and pull requests',
          values: unlessEmpty(numberText(repository.open_issues_count)),
        },
        { title: 'Default branch', values: unlessEmpty(readText(repository.default_branch)) },
        { title: 'License', values: unlessEmpty(textIn(repository.license, 'name')) },
        { title: 'Website', values: unlessEmpty(readText(repository.homepage)) },
      ],
      labels: readTexts(repository.topics),
      text: readText(repository.description),
      textFormat: 'plain',
      html: null,
      isTruncated: false,
      url: readText(repository.html_url) || null,
    };
  },
};
