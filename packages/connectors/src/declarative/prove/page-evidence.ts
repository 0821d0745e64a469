import type { DocumentEntity } from '@datadeck/contract/connector-document';
import { linkTo } from '../../sdk/index.ts';
import type { RecordedAnswer } from '../builder/recorded-answer.ts';
import type { AnswerTemplate } from './answer-template.ts';
import { Finding } from './finding.ts';
import { leavesOf, nameOf } from './tree.ts';

/** Names of fields that hold the next page. */
const NEXT = /next|cursor|continuation/i;

/** Returns the names of fields outside of the list, and of headers, that seem to name a next page. */
function nextNames({ answer, list }: AnswerTemplate): string[] {
  const leaves = leavesOf(answer.tree, list).filter(
    ({ value }) => (typeof value === 'string' && value !== '') || typeof value === 'number',
  );
  const headers = Object.entries(answer.headers).filter(([name, value]) => name !== 'link' && value !== '');
  return [...leaves.map(({ place }) => nameOf(place)), ...headers.map(([name]) => name)].filter((name) =>
    NEXT.test(name),
  );
}

/** Throws if the recorded answer shows that the next page is asked for in another way than the document does. */
export function checkPagination(
  { pagination }: DocumentEntity,
  template: AnswerTemplate,
  { headers, query }: RecordedAnswer,
): void {
  const names = nextNames(template);
  const source = 'next' in pagination ? pagination.next : '';
  const isUnread = names.length > 0 && !names.some((name) => source.includes(name));
  const unread = `The recorded answer names a next page in ${names[0]}`;
  switch (pagination.kind) {
    case 'none':
      if (linkTo(headers.link ?? null, 'next') !== undefined)
        throw new Finding(
          'failed',
          'pagination',
          'The recorded answer names a next page in the header Link, but only one page is read. Choose the pagination “link”.',
        );
      if (isUnread)
        throw new Finding(
          'failed',
          'pagination',
          `${unread}, but only one page is read. Choose a pagination that follows it.`,
        );
      return;
    case 'cursor':
    case 'address':
      if (template.recorded.next === null && isUnread)
        throw new Finding(
          'failed',
          'pagination.next',
          `${unread}, but the expression finds none. Correct the path in “next”.`,
        );
      if (template.next === undefined)
        throw new Finding(
          'failed',
          'pagination.next',
          'The expression “next” finds no next page in any answer like the recorded one. Correct its path.',
        );
      return;
    case 'page':
    case 'offset':
      if (pagination.sizeParameter !== undefined && query[pagination.sizeParameter] === undefined)
        throw new Finding(
          'not-applicable',
          'pagination',
          'The pages are asked for in another way than when it was tried. Try it again.',
        );
      if (template.recorded.entries > pagination.size)
        throw new Finding(
          'failed',
          'pagination.size',
          `The recorded answer has ${template.recorded.entries} records, more than the size of a page. Set “size” to what the service really sends.`,
        );
      return;
    case 'link':
      return;
  }
}
