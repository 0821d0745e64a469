import { type ReadingDefinition, readText } from '../../sdk/index.ts';
import {
  objectIn,
  referenceOf,
  shortHash,
  textIn,
  unlessEmpty,
  wordText,
} from '../records/reading-fields.ts';
import { repositoryOfPage } from '../records/review-record.ts';

/** The reading of reviews. */
export const reviewReading: ReadingDefinition = {
  fields: ['pull_request', 'state', 'user', 'commit_id', 'body', 'html_url'],
  read(review) {
    const pull = objectIn(review.pull_request);
    const repository = repositoryOfPage(readText(pull.html_url)) ?? '';
    const state = readText(pull.merged_at) === '' ? wordText(pull.state) : 'Merged';
    return {
      facts: [
        { title: 'Pull request', values: unlessEmpty(referenceOf(repository, pull.number)) },
        { title: 'Review', values: unlessEmpty(wordText(review.state)) },
        { title: 'Reviewer', values: unlessEmpty(textIn(review.user, 'login')) },
        { title: 'Author', values: unlessEmpty(textIn(pull.user, 'login')) },
        { title: 'State', values: unlessEmpty(state) },
        { title: 'Commit', values: unlessEmpty(shortHash(review.commit_id)) },
      ],
      labels: [],
      text: readText(review.body),
      textFormat: 'markdown',
      html: null,
      isTruncated: false,
      url: readText(review.html_url) || null,
    };
  },
};
