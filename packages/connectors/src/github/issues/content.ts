import { type JsonObject, type ReadingDefinition, readText } from '../../sdk/index.ts';
import { placeOf } from '../records/fields.ts';
import {
  namesOf,
  numberText,
  objectIn,
  referenceOf,
  textIn,
  unlessEmpty,
  wordText,
} from '../records/reading-fields.ts';

/** Returns the state with its reason: `Closed as not planned`. */
function stateOf({ state, state_reason }: JsonObject): string {
  const reason = wordText(state_reason).toLowerCase();
  const name = wordText(state);
  if (name !== 'Closed' || reason === '') return name;
  return `Closed as ${reason}`;
}

/** The reading of issues. */
export const issueReading: ReadingDefinition = {
  fields: [
    'number',
    'repository_url',
    'state',
    'state_reason',
    'user',
    'assignees',
    'milestone',
    'closed_by',
    'comments',
    'reactions',
    'labels',
    'body',
    'html_url',
  ],
  read(issue) {
    const { repository = '' } = placeOf(readText(issue.repository_url));
    const reactions = objectIn(issue.reactions).total_count;
    return {
      facts: [
        { title: 'Issue', values: unlessEmpty(referenceOf(repository, issue.number)) },
        { title: 'State', values: unlessEmpty(stateOf(issue)) },
        { title: 'Author', values: unlessEmpty(textIn(issue.user, 'login')) },
        { title: 'Assignees', values: namesOf(issue.assignees, 'login') },
        { title: 'Milestone', values: unlessEmpty(textIn(issue.milestone, 'title')) },
        { title: 'Closed by', values: unlessEmpty(textIn(issue.closed_by, 'login')) },
        { title: 'Comments', values: unlessEmpty(numberText(issue.comments)) },
        { title: 'Reactions', values: reactions === 0 ? [] : unlessEmpty(numberText(reactions)) },
      ],
      labels: namesOf(issue.labels, 'name'),
      text: readText(issue.body),
      textFormat: 'markdown',
      html: null,
      isTruncated: false,
      url: readText(issue.html_url) || null,
    };
  },
};
