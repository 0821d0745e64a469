import { type JsonObject, type ReadingDefinition, readText } from '../../sdk/index.ts';
import { numberText, objectIn, referenceOfUrl, textIn, unlessEmpty } from '../records/reading-fields.ts';

/** Last lines of the commented change that are shown. */
const SHOWN_LINES = 6;
/** Matches what Markdown takes for the end of a line. */
const LINE_END = /\r\n|\r|\n/;

/** Returns the last lines of a change as a Markdown block of code, which ends before the comment. */
function hunkOf({ diff_hunk }: JsonObject): string {
  const hunk = readText(diff_hunk).trimEnd();
  if (hunk === '') return '';
  // Indented, because a fence would end at one in the change.
  const lines = hunk.split(LINE_END).slice(-SHOWN_LINES);
  return `${lines.map((line) => `    ${line}`).join('\n')}\n\n`;
}

/** Returns file and line: `src/lid.ts, line 3`. A comment on an older version of the change has its line there. */
function placeIn({ path, line, original_line }: JsonObject): string {
  const file = readText(path);
  const shown = numberText(line) || numberText(original_line);
  return file === '' || shown === '' ? file : `${file}, line ${shown}`;
}

/** The reading of comments: the commented lines above the text. */
export const commentReading: ReadingDefinition = {
  fields: [
    'issue_url',
    'pull_request_url',
    'user',
    'path',
    'line',
    'original_line',
    'diff_hunk',
    'reactions',
    'body',
    'html_url',
  ],
  read(comment) {
    const reactions = objectIn(comment.reactions).total_count;
    const reference = referenceOfUrl(comment.issue_url) || referenceOfUrl(comment.pull_request_url);
    return {
      facts: [
        { title: 'On', values: unlessEmpty(reference) },
        { title: 'Author', values: unlessEmpty(textIn(comment.user, 'login')) },
        { title: 'File', values: unlessEmpty(placeIn(comment)) },
        { title: 'Reactions', values: reactions === 0 ? [] : unlessEmpty(numberText(reactions)) },
      ],
      labels: [],
      text: hunkOf(comment) + readText(comment.body),
      textFormat: 'markdown',
      html: null,
      isTruncated: false,
      url: readText(comment.html_url) || null,
    };
  },
};
