import type { DocumentPagination } from '@datadeck/contract/connector-document';
import { parameterOf, type WireRequest, withParameter } from './wire-request.ts';

/** A pagination that asks for pages by their numbers, or by the positions of their first records. */
export type NumberedPagination = Extract<DocumentPagination, { kind: 'page' | 'offset' }>;

/** Returns the pagination of a list that is asked for by numbers; undefined for the other kinds. */
export function numberedPagination(pagination: DocumentPagination): NumberedPagination | undefined {
  return pagination.kind === 'page' || pagination.kind === 'offset' ? pagination : undefined;
}

/** Returns the number of the first page: the one that the document names, or position 0. */
export function firstNumber(pagination: NumberedPagination): number {
  return pagination.kind === 'page' ? pagination.first : 0;
}

/** Returns the number of the page that a request asks for; a request without one asks for the first page. */
export function numberOf(request: WireRequest, pagination: NumberedPagination): number {
  const { in: place = 'query', parameter } = pagination;
  const value = parameterOf(request, { in: place, name: parameter });
  return value === undefined ? firstNumber(pagination) : Number(value);
}

/** Returns a request that asks for the page with a number. */
export function withNumber(
  request: WireRequest,
  pagination: NumberedPagination,
  number: number,
): WireRequest {
  const { in: place = 'query', parameter } = pagination;
  return withParameter(request, { in: place, name: parameter }, number);
}

/** Returns a request with the size of a page, and with the number of the first one where the document sends it. */
export function withFirstPage(request: WireRequest, pagination: NumberedPagination): WireRequest {
  const { in: place = 'query', sizeParameter, size, sendFirst = true } = pagination;
  const first = sendFirst ? withNumber(request, pagination, firstNumber(pagination)) : request;
  return sizeParameter === undefined ? first : withParameter(first, { in: place, name: sizeParameter }, size);
}
