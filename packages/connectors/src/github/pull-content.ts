import { type JsonObject, type ReadingDefinition, readObjects, readText } from '../sdk/index.ts';

/** Returns one text field of an object; an empty text for other types. */
function textIn(value: unknown, field: string): string {
  return readText(readObjects([value])[0]?.[field]);
}

const unlessEmpty = (text: string) => (text === '' ? [] : [text]);

function stateOf({ state, merged_at, draft }: JsonObject): string {
  if (readText(merged_at) !== '') return 'Merged';
  const name = readText(state).slice(0, 20);
  const title = name.charAt(0).toUpperCase() + name.slice(1);
  return draft === true && title === 'Open' ? 'Open, draft' : title;
}

/** Returns the branches: `feature → main`. */
function branchesOf({ head, base }: JsonObject): string[] {
  const [from, to] = [textIn(head, 'ref'), textIn(base, 'ref')];
  return from === '' || to === '' ? [] : [`${from} → ${to}`];
}

function namesOf(list: unknown, field: string): string[] {
  return readObjects(list).flatMap((item) => unlessEmpty(readText(item[field])));
}

/** The reading of pull requests. */
export const pullReading: ReadingDefinition = {
  fields: [
    'number',
    'state',
    'merged_at',
    'draft',
    'user',
    'labels',
    'requested_reviewers',
    'requested_teams',
    'base',
    'head',
    'body',
    'html_url',
  ],
  read(pull) {
    const repository = textIn(readObjects([pull.base])[0]?.repo, 'full_name');
    const number = typeof pull.number === 'number' ? `#${pull.number}` : '';
    const teams = namesOf(pull.requested_teams, 'name').map((name) => `team ${name}`);
    return {
      facts: [
        { title: 'Pull request', values: unlessEmpty(`${repository} ${number}`.trim()) },
        { title: 'State', values: unlessEmpty(stateOf(pull)) },
        { title: 'Author', values: unlessEmpty(textIn(pull.user, 'login')) },
        { title: 'Branches', values: branchesOf(pull) },
        { title: 'Reviewers', values: [...namesOf(pull.requested_reviewers, 'login'), ...teams] },
      ],
      labels: namesOf(pull.labels, 'name'),
      text: readText(pull.body),
      textFormat: 'markdown',
      html: null,
      isTruncated: false,
      url: readText(pull.html_url) || null,
    };
  },
};
