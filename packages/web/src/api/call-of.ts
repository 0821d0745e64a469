import { ENDPOINTS, type EndpointName } from '@datadeck/contract';
import type { RequestOptions } from './request.ts';

interface CallParts {
  params?: Record<string, string>;
  query?: Record<string, string | number | undefined>;
  body?: unknown;
}

/** Returns the request for an endpoint of the contract, with its path parameters filled in. */
export function callOf(name: EndpointName, { params = {}, query, body }: CallParts = {}): RequestOptions {
  const { method, path } = ENDPOINTS[name];
  const url = path.replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(params[key] ?? ''));
  return { url, method, ...(query && { params: query }), ...(body !== undefined && { body }) };
}
