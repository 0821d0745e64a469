import { type ReadingDefinition, readObjects, readText } from '../../sdk/index.ts';
import { objectIn, referenceOfUrl, shortHash, textIn, unlessEmpty } from '../records/reading-fields.ts';

/** Returns a person with login, name and address: `octocat, Octo Cat <octo@example.org>`. */
function personOf(account: unknown, signed: unknown): string {
  const [login, name, email] = [textIn(account, 'login'), textIn(signed, 'name'), textIn(signed, 'email')];
  const signature = [name, email === '' ? '' : `<${email}>`].filter((text) => text !== '').join(' ');
  return [login, signature].filter((text) => text !== '').join(', ');
}

/** The reading of commits; the text is what follows the first line of the message, which is the title. */
export const commitReading: ReadingDefinition = {
  fields: ['sha', 'url', 'commit', 'author', 'committer', 'parents', 'html_url'],
  read(commit) {
    const { author, committer, message, verification } = objectIn(commit.commit);
    const [, ...rest] = readText(message).trimStart().split('\n');
    const { verified } = objectIn(verification);
    const parents = readObjects(commit.parents).flatMap(({ sha }) => unlessEmpty(shortHash(sha)));
    return {
      facts: [
        { title: 'Repository', values: unlessEmpty(referenceOfUrl(commit.url)) },
        { title: 'Commit', values: unlessEmpty(readText(commit.sha)) },
        { title: 'Author', values: unlessEmpty(personOf(commit.author, author)) },
        { title: 'Committer', values: unlessEmpty(personOf(commit.committer, committer)) },
        { title: 'Parents', values: parents },
        { title: 'Signature', values: verified === true ? ['Verified'] : [] },
      ],
      labels: [],
      text: rest.join('\n').trim(),
      textFormat: 'plain',
      html: null,
      isTruncated: false,
      url: readText(commit.html_url) || null,
    };
  },
};
