import { PULL_LABELS, type PullDetails } from '@datadeck/contract';
import { type JsonObject, type ReadingDefinition, readObjects, readText } from '../../sdk/index.ts';
import { NAME_LENGTH, namesOf, referenceOf, textIn, unlessEmpty } from '../records/reading-fields.ts';

const COLOR = /^[0-9a-f]{6}$/i;

function stateOf({ state, merged_at, draft }: JsonObject): string {
  if (readText(merged_at) !== '') return 'Merged';
  const name = readText(state).slice(0, 20);
  const title = name.charAt(0).toUpperCase() + name.slice(1);
  return draft === true && title === 'Open' ? 'Open, draft' : title;
}

function summaryOf(pull: JsonObject): Pick<PullDetails, 'state' | 'isDraft' | 'isReviewRequested'> {
  const { merged_at, draft, state, requested_reviewers, requested_teams } = pull;
  const isOpen = state === 'open';
  const isKnown = isOpen || state === 'closed';
  const requested = readObjects(requested_reviewers).length + readObjects(requested_teams).length;
  return {
    state: readText(merged_at) !== '' ? 'merged' : isKnown ? state : 'unknown',
    isDraft: draft === true,
    isReviewRequested: isOpen && requested > 0,
  };
}

/** Returns the details of a pull request. @param reference its repository and number */
function detailsOf(pull: JsonObject, reference: string): PullDetails {
  const count = (value: unknown) =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
  const labels = readObjects(pull.labels).slice(0, PULL_LABELS);
  return {
    reference,
    ...summaryOf(pull),
    labels: labels.flatMap(({ name, color }) =>
      unlessEmpty(readText(name).slice(0, NAME_LENGTH).toWellFormed()).map((shown) => ({
        name: shown,
        color: COLOR.test(readText(color)) ? readText(color).toLowerCase() : null,
      })),
    ),
    additions: count(pull.additions),
    deletions: count(pull.deletions),
    changedFiles: count(pull.changed_files),
    commits: count(pull.commits),
    comments: count(pull.comments),
  };
}

/** Returns the branches: `feature → main`. */
function branchesOf({ head, base }: JsonObject): string[] {
  const [from, to] = [textIn(head, 'ref'), textIn(base, 'ref')];
  return from === '' || to === '' ? [] : [`${from} → ${to}`];
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
    'additions',
    'deletions',
    'changed_files',
    'commits',
    'comments',
  ],
  read(pull) {
    const repository = textIn(readObjects([pull.base])[0]?.repo, 'full_name');
    const reference = referenceOf(repository, pull.number);
    const teams = namesOf(pull.requested_teams, 'name').map((name) => `team ${name}`);
    return {
      facts: [
        { title: 'Pull request', values: unlessEmpty(reference) },
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
      pull: detailsOf(pull, reference),
    };
  },
};
