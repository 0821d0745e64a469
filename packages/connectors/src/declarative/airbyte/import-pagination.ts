import { DOCUMENT_LIMITS } from '@datadeck/contract/connector-document';
import { answerVariables } from './answer-variables.ts';
import { type Component, componentOf, textOf } from './component.ts';
import type { InjectedAt, RequestParts } from './import-request.ts';
import { type Code, call } from './jinja/code.ts';
import { withHelpers } from './jinja/python-functions.ts';
import { translateTemplate } from './jinja/translate-template.ts';
import { UntranslatableError } from './jinja/untranslatable-error.ts';
import { scopeAt, type TemplateScope } from './variables.ts';

type Pagination = Record<string, unknown>;

/** What a pagination is part of. */
export interface PagedStream {
  scope: TemplateScope;
  /** Expression of the records of an answer, and of their number before any is left out. */
  records: string;
  count: string | undefined;
  /** The request, which gets the page size. */
  request: RequestParts;
  /** Path of the base address; undefined for a computed one. */
  basePath: string | undefined;
}

/** Returns the size of a page. @throws UntranslatableError for one that is computed */
function sizeOf(strategy: Component): number | undefined {
  const { page_size: size } = strategy;
  if (size === undefined || size === null) return undefined;
  const number = Number(size);
  if (number > DOCUMENT_LIMITS.pageSize)
    throw new UntranslatableError(`pages of more than ${DOCUMENT_LIMITS.pageSize} records`);
  if (Number.isInteger(number) && number > 0) return number;
  throw new UntranslatableError('a page size that is computed');
}

/** Returns the name of the parameter with the page size, if it is sent where the numbers of pages are; else the request gets it. */
function sizeParameter(
  paginator: Component,
  size: number | undefined,
  at: InjectedAt,
  request: RequestParts,
) {
  const option = componentOf(paginator, 'page_size_option');
  if (!option || size === undefined) return undefined;
  const place = request.placeOf(option);
  if (place.in === at.in) return place.name;
  request.inject(option, place.in === 'body' ? String(size) : `"${size}"`);
  return undefined;
}

function numbered(paginator: Component, strategy: Component, { count, request }: PagedStream): Pagination {
  const option = componentOf(paginator, 'page_token_option');
  if (!option) throw new UntranslatableError('pages that no option of the request names');
  if (option.type === 'RequestPath') throw new UntranslatableError('numbers of pages in the path');
  const at = request.placeOf(option);
  const size = sizeOf(strategy);
  const named = sizeParameter(paginator, size, at, request);
  const isPage = strategy.type === 'PageIncrement';
  if (at.in === 'body') request.openBody(textOf(option, 'inject_into') === 'body_data');
  return {
    kind: isPage ? 'page' : 'offset',
    ...(at.in !== 'query' && { in: at.in }),
    parameter: at.name,
    size: size ?? 100,
    ...(isPage && { first: Number(strategy.start_from_page ?? 0) }),
    ...(strategy.inject_on_first_request !== true && { sendFirst: false }),
    ...(named !== undefined && { sizeParameter: named }),
    ...(size !== undefined && { end: 'short-page' }),
    ...(count !== undefined && { count }),
  };
}

/** Returns the address of a relation in the header `Link`: `headers.link.next.url`. */
function linkTo([, , relation = '', ...member]: readonly string[]): Code {
  if (!/^[a-z]+$/.test(relation) || (member.length > 0 && member.join('.') !== 'url'))
    throw new UntranslatableError('a part of the header Link');
  return call(
    `$match($string(headers.link ?? ""), /<([^<>]*)>[^<>,]*;\\s*rel="?${relation}"?/, 1)[0].groups[0]`,
    'any',
  );
}

/** Returns the expression of the next page, which nothing follows where a template says stop. */
function nextOf(strategy: Component, scope: TemplateScope, records: string): string {
  const known = answerVariables(scope, {
    last_record: call(`(${records})[-1]`, 'any'),
    last_page_size: call(`$count(${records})`, 'number'),
  });
  // The CDK has the header `Link` as an object by relations.
  const variables: typeof known = (path) =>
    path[0] === 'headers' && path[1] === 'link' && path.length > 2 ? linkTo(path) : known(path);
  const { value } = translateTemplate(textOf(strategy, 'cursor_value'), variables);
  const stop = textOf(strategy, 'stop_condition');
  // The CDK ends at each value that Python reads as false, such as 0.
  const next = `($token := ${value}; $truth($literal($token)) ? $token)`;
  if (stop === '') return withHelpers(next);
  const { truth } = translateTemplate(stop, variables);
  return withHelpers(`(${truth}) ? "" : ${next}`);
}

/** Returns the expression of an address: a path begins at the host, or continues the base address. */
function addressOf(next: string, basePath: string | undefined): string {
  const base = JSON.stringify(`${basePath ?? ''}/`);
  return `($next := ${next}; $not($exists($next)) or $type($next) != "string" or $next = "" or $contains($next, /^(https?:\\/\\/|\\/)/) ? $next : ${base} & $next)`;
}

function cursor(paginator: Component, strategy: Component, stream: PagedStream): Pagination {
  const option = componentOf(paginator, 'page_token_option');
  const next = nextOf(strategy, stream.scope, stream.records);
  const size = sizeOf(strategy);
  const sized = componentOf(paginator, 'page_size_option');
  if (sized && size !== undefined)
    stream.request.inject(
      sized,
      textOf(sized, 'inject_into').startsWith('body') ? String(size) : `"${size}"`,
    );
  if (!option) throw new UntranslatableError('a cursor that no option of the request names');
  if (option.type === 'RequestPath')
    return { kind: 'address', next: addressOf(next, stream.basePath), repeatQuery: true };
  const at = stream.request.placeOf(option);
  if (at.in !== 'body') return { kind: 'cursor', in: at.in, parameter: at.name, next };
  // The CDK reads an object from such a text.
  if (next.includes('"{')) throw new UntranslatableError('a cursor that is an object');
  stream.request.openBody(textOf(option, 'inject_into') === 'body_data');
  const value = stream.request.isForm ? next : withHelpers(`$literal(${next})`);
  return { kind: 'cursor', in: 'body', parameter: at.name, next: value };
}

/** Translates a paginator. @throws UntranslatableError */
export function importPagination(paginator: Component | undefined, stream: PagedStream): Pagination {
  if (!paginator || paginator.type === 'NoPagination') return { kind: 'none' };
  const strategy = componentOf(paginator, 'pagination_strategy');
  const scope = scopeAt(strategy, scopeAt(paginator, stream.scope));
  switch (strategy?.type) {
    case 'PageIncrement':
    case 'OffsetIncrement':
      return numbered(paginator, strategy, stream);
    case 'CursorPagination':
      return cursor(paginator, strategy, { ...stream, scope });
    default:
      throw new UntranslatableError(`the pagination ${String(strategy?.type)}`);
  }
}
