import type { DocumentEntity } from '@datadeck/contract/connector-document';
import { linkTo } from '../../sdk/index.ts';
import { isServiceName } from '../builder/member-names.ts';
import type { RecordedAnswer } from '../builder/recorded-answer.ts';
import { firstNumber } from '../page-numbers.ts';
import { parameterOf } from '../wire-request.ts';
import type { AnswerTemplate } from './answer-template.ts';
import { type Outcome, PASSED, undecided } from './outcome.ts';
import { ProofStoppedError } from './proof-stopped-error.ts';
import { leavesOf, nameOf, valueAt } from './tree.ts';

/** Names of fields that hold the next page, and those of other pages. */
const NEXT = /next|cursor|continuation|after$/i;
const OTHER_PAGE = /prev|before|first|last|start|self|current/i;
const MORE = /^(?:has_?(?:more|next)(?:_?pages?)?|more)$/i;
const LAST = /^(?:is_?last(?:_?page)?|last)$/i;
const TOTAL =
  /^(?:x-)?(?:total(?:[_-]?(?:count|results|items|records|elements|hits))?|count|num_?found|found|hits|(?:result|item|record)s?_?count)$/i;
const PAGES = /^(?:x-)?(?:total[_-]?pages|page_?count|num_?pages|pages|last_?page)$/i;
const PAGE = /^(?:x-)?(?:current_?)?page(?:_?(?:number|index|no))?$/i;
const OFFSET = /^(?:offset|skip|start(?:_?(?:at|index))?|from)$/i;

/** A named value outside of the list: `{ name: 'total', value: 250 }`. */
interface Named {
  name: string;
  /** Names above it, too: `links.next.href`. */
  path: string;
  value: string | number | boolean;
}

/** What a recorded answer says about pages. */
interface Evidence {
  /** Next address of the header `Link`. */
  link: string | undefined;
  /** Fields and headers that seem to name a next page. */
  next: Named[];
  /** Number of records that the service sent; undefined where it is not known. */
  count: number | undefined;
  total: number | undefined;
  /** How many pages there are. */
  pages: number | undefined;
  /** Number of the page, and position of its first record, as the answer repeats them. */
  page: number | undefined;
  offset: number | undefined;
  /** Whether a field says that there is a next page; undefined without one. */
  hasMore: boolean | undefined;
}

/** Returns the values outside of the list whose names are those that services use for pages. */
function namedValues({ answer, list }: AnswerTemplate): Named[] {
  const ofBody = leavesOf(answer.tree, list).map(({ place, value }) => ({
    name: nameOf(place).replace(/^@/, ''),
    path: place.filter((key) => typeof key === 'string').join('.'),
    value,
  }));
  const headers = Object.entries(answer.headers).filter(([name]) => name !== 'link');
  const all = [...ofBody, ...headers.map(([name, value]) => ({ name, path: name, value }))];
  return all.filter(
    (one): one is Named =>
      ['string', 'number', 'boolean'].includes(typeof one.value) &&
      one.value !== '' &&
      // `events.next_meeting` and `owner.count` say nothing about pages.
      one.path.split('.').every((name) => list.includes(name) || isServiceName(name)),
  );
}

function numberAt(values: readonly Named[], names: RegExp): number | undefined {
  const found = values.find(({ name, value }) => names.test(name) && /^\d{1,9}$/.test(String(value)));
  return found && Number(found.value);
}

function flagAt(values: readonly Named[], names: RegExp): boolean | undefined {
  const found = values.find(({ name, value }) => names.test(name) && /^(?:true|false)$/.test(String(value)));
  return found && String(found.value) === 'true';
}

function evidenceIn(template: AnswerTemplate, { headers, lengths }: RecordedAnswer): Evidence {
  const values = namedValues(template);
  const isLast = flagAt(values, LAST);
  const { list, elements, recorded, answer } = template;
  const length = lengths[JSON.stringify(list)] ?? elements.length;
  const isNext = ({ path, value }: Named) =>
    typeof value !== 'boolean' &&
    !/^(?:true|false)$/.test(String(value)) &&
    NEXT.test(path) &&
    !OTHER_PAGE.test(path);
  const isCut = lengths[JSON.stringify(list)] !== undefined || !Array.isArray(valueAt(answer.tree, list));
  return {
    link: linkTo(headers.link ?? null, 'next'),
    next: values.filter(isNext),
    count: recorded.entries === elements.length ? length : isCut ? undefined : recorded.entries,
    total: recorded.total ?? numberAt(values, TOTAL),
    pages: numberAt(values, PAGES),
    page: numberAt(values, PAGE),
    offset: numberAt(values, OFFSET),
    hasMore: flagAt(values, MORE) ?? (isLast === undefined ? undefined : !isLast),
  };
}

function failed(message: string, path = 'pagination'): ProofStoppedError {
  return new ProofStoppedError('failed', path, message);
}

const notShown = (message: string) => undecided(`Not shown by the recorded answer: ${message}`);
const isAddress = (value: unknown) =>
  /^(?:https?:\/\/|\/|\?)|^[^\s?]{1,200}\?[^\s=]{1,100}=/i.test(String(value));

/** Returns why there must be more pages, as the start of a sentence; undefined if nothing says so. */
function moreIn({ count, total, pages, page, hasMore }: Evidence): string | undefined {
  if (hasMore) return 'The recorded answer says that there are more records';
  if (hasMore === undefined && count !== undefined && total !== undefined && total > count)
    return `The recorded answer has ${count} of ${total} records`;
  // A page may be counted from 0.
  return pages !== undefined && pages > 1 && (page ?? 1) <= 1
    ? `The recorded answer is one of ${pages} pages`
    : undefined;
}

/** Evidence for documents that read one page. */
function onePage(entity: DocumentEntity, evidence: Evidence): Outcome {
  const { link, next, count, total, hasMore } = evidence;
  if (link !== undefined)
    throw failed(
      'The recorded answer names a next page in the header Link, but only one page is read. Choose the pagination “link”.',
    );
  if (next[0] && hasMore !== false)
    throw failed(
      `The recorded answer names a next page in ${next[0].name}, but only one page is read. Choose a pagination that follows it.`,
    );
  const more = moreIn(evidence);
  if (more !== undefined) throw failed(`${more}, but only one page is read. Choose a pagination.`);
  const isWhole = entity.request.decode === 'feed' || (count !== undefined && total === count);
  if (isWhole && hasMore === undefined) return PASSED;
  return notShown('whether the service ever sends more than one page. Try it where there are many records.');
}

function byLink(evidence: Evidence): Outcome {
  const { link, next, hasMore } = evidence;
  if (link !== undefined) return PASSED;
  if (next[0] && hasMore !== false)
    throw failed(
      `The recorded answer names a next page in ${next[0].name}, and has no header Link. Choose a pagination that follows it.`,
    );
  const more = moreIn(evidence);
  if (more !== undefined)
    throw failed(`${more}, but no header Link with a next page. Choose another pagination.`);
  return notShown('a next page. Try it where there are several pages.');
}

/** Evidence for documents with an expression for the next page. */
function byExpression({ pagination }: DocumentEntity, template: AnswerTemplate, evidence: Evidence): Outcome {
  if (pagination.kind !== 'cursor' && pagination.kind !== 'address') return PASSED;
  const { link, next, hasMore } = evidence;
  const following = template.recorded.next;
  const words: string[] = pagination.next.match(/[\w@$-]+/g) ?? [];
  const isRead = next.some(({ name }) => words.includes(name));
  if (following === null && next[0] && !isRead && hasMore !== false)
    throw failed(
      `The recorded answer names a next page in ${next[0].name}, but the expression finds none. Correct the path in “next”.`,
      'pagination.next',
    );
  if (template.next === undefined)
    throw failed(
      'The expression “next” finds no next page in any answer like the recorded one. Correct its path.',
      'pagination.next',
    );
  if (following === null) {
    if (link !== undefined)
      throw failed(
        'The recorded answer names a next page in the header Link, but the expression finds none. Choose the pagination “link”.',
      );
    const more = moreIn(evidence);
    if (more !== undefined)
      throw failed(
        `${more}, but the expression finds no next page. Correct the path in “next”.`,
        'pagination.next',
      );
    return notShown('a next page, because it is the last one. Try it where there are several pages.');
  }
  const value =
    pagination.kind === 'address'
      ? following.path
      : parameterOf(following, { in: pagination.in, name: pagination.parameter });
  if (pagination.kind === 'cursor' && isAddress(value))
    throw failed(
      'The expression “next” yields an address, which is sent as a cursor. Choose the pagination “address”.',
    );
  if (pagination.kind === 'address' && !isAddress(value))
    throw failed('The expression “next” yields no address. Choose the pagination “cursor”.');
  return PASSED;
}

/** Returns the value of a parameter in the address of a next page; undefined for what is no address. */
function parameterIn(address: unknown, parameter: string): string | null | undefined {
  if (!isAddress(address)) return undefined;
  return URL.parse(String(address), 'https://host.example.com/')?.searchParams.get(parameter);
}

/** Evidence for documents that number pages, or records. */
function byNumber({ pagination }: DocumentEntity, evidence: Evidence): Outcome {
  if (pagination.kind !== 'page' && pagination.kind !== 'offset') return PASSED;
  const { kind, parameter, size, end, in: place = 'query' } = pagination;
  const { link, next, count, page, offset, hasMore } = evidence;
  if (count !== undefined && count > size)
    throw failed(
      `The recorded answer has ${count} records, more than the size of a page. Set “size” to what the service really sends.`,
      'pagination.size',
    );
  const more =
    moreIn(evidence) ??
    (link === undefined && next.length === 0 ? undefined : 'The recorded answer names a next page');
  if (end === 'short-page' && count !== undefined && count < size && more !== undefined && hasMore !== false)
    throw failed(
      `${more}, although it has ${count} records, fewer than a page of ${size}, so reading would end there. Set “size” to ${count}, or “end” to “empty-page”.`,
      'pagination.size',
    );
  const first = firstNumber(pagination);
  const expected = kind === 'page' ? first + 1 : (count ?? size);
  const named = [...(link === undefined ? [] : [{ name: 'the header Link', value: link }]), ...next];
  for (const { name, value } of named) {
    const sent = place === 'query' ? parameterIn(value, parameter) : undefined;
    if (sent === null)
      throw failed(
        `The address of the next page in ${name} has no parameter “${parameter}”. Choose a pagination that follows it.`,
      );
    const number = sent ?? String(value);
    if (number === String(expected)) return PASSED;
    if (sent !== undefined && /^\d{1,9}$/.test(sent))
      throw failed(
        `The next page in ${name} has “${parameter}” ${sent}, but ${expected} would be asked for. ${kind === 'page' ? 'Correct “first”, or choose the pagination “offset”' : 'Choose the pagination “page”'}.`,
      );
    if (hasMore !== false)
      throw failed(
        `The recorded answer names a next page in ${name}, but “${parameter}” is counted. Choose a pagination that follows it.`,
      );
  }
  const repeated = kind === 'page' ? page : offset;
  if (repeated === first) return PASSED;
  if (kind === 'page' && repeated !== undefined)
    throw failed(
      `The first page is number ${repeated} in the recorded answer, but ${first} in the document. Correct “first” and the name of the parameter.`,
    );
  return notShown(`whether the service takes “${parameter}”. Compare the first two pages that it sends.`);
}

/**
 * Returns whether a recorded answer shows that the next page is asked for as the document does.
 * @throws ProofStoppedError if it shows that it is asked for in another way
 */
export function paginationOutcome(
  entity: DocumentEntity,
  template: AnswerTemplate,
  recording: RecordedAnswer,
): Outcome {
  const evidence = evidenceIn(template, recording);
  switch (entity.pagination.kind) {
    case 'none':
      return onePage(entity, evidence);
    case 'link':
      return byLink(evidence);
    case 'cursor':
    case 'address':
      return byExpression(entity, template, evidence);
    case 'page':
    case 'offset':
      return byNumber(entity, evidence);
  }
}
