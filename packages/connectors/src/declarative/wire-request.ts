import { isRecord } from '@datadeck/contract/table-columns';
import { z } from 'zod';
import type { JsonObject } from '../sdk/index.ts';
import { fieldAt } from './field-at.ts';

/** A request as expressions yield it: JSON, without host and secret. Checkpoints contain it. */
export const wireRequestSchema = z.object({
  /** Path below the base address, or an address of the same host with its query. */
  path: z.string(),
  query: z.record(z.string(), z.string()),
  /** Query of the first request, which is added to the address of each next page; absent where it is not. */
  repeated: z.exactOptional(z.record(z.string(), z.string())),
  headers: z.record(z.string(), z.string()),
  /** Default: POST with a body, otherwise GET. */
  method: z.exactOptional(z.enum(['GET', 'POST'])),
  /** Null without one. */
  body: z.custom<JsonObject | null>((value) => typeof value === 'object'),
  /** Default: JSON. A form has texts, numbers and booleans only. */
  bodyFormat: z.exactOptional(z.literal('form')),
});
export type WireRequest = z.infer<typeof wireRequestSchema>;

/** What a request sends in its body. */
interface SentBody {
  method: 'GET' | 'POST';
  /** Empty for a POST without a body. */
  text: string;
  /** `content-type` of the text; none for an empty one. */
  headers: Record<string, string>;
}

/** Returns the method, the text and the type of what a request sends in its body; undefined for a GET without one. */
export function sentBodyOf({ method: given, body, bodyFormat }: WireRequest): SentBody | undefined {
  const method = given ?? 'POST';
  if (body === null) return given === 'POST' ? { method, text: '', headers: {} } : undefined;
  if (bodyFormat === undefined)
    return { method, text: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const fields = Object.entries(body).map(([name, value]): [string, string] => [name, String(value)]);
  return {
    method,
    text: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  };
}

/** A parameter of a request: its name, which is a path with dots in a body of JSON, and where it is sent. */
export interface Parameter {
  in: 'query' | 'body' | 'header';
  name: string;
}

/** Returns a copy of a body in which the value at a path with dots is another one: `variables.after`. */
function withValueAt(body: JsonObject, path: string, value: string | number): JsonObject {
  const [name = '', ...rest] = path.split('.');
  const inner = Object.hasOwn(body, name) ? body[name] : undefined;
  const changed =
    rest.length === 0
      ? value
      : withValueAt(isRecord(inner) ? (inner as JsonObject) : {}, rest.join('.'), value);
  return { ...body, [name]: changed };
}

/** Returns a copy of a request with another value of a parameter: a text, but in a body the value as it is. */
export function withParameter(
  request: WireRequest,
  { in: place, name }: Parameter,
  value: string | number,
): WireRequest {
  const { query, headers, body, bodyFormat } = request;
  switch (place) {
    case 'query':
      return { ...request, query: { ...query, [name]: String(value) } };
    case 'header':
      return { ...request, headers: { ...headers, [name]: String(value) } };
    case 'body':
      return {
        ...request,
        body: bodyFormat === 'form' ? { ...body, [name]: value } : withValueAt(body ?? {}, name, value),
      };
  }
}

/** Returns the value of a parameter; undefined without one. */
export function parameterOf(
  { query, headers, body, bodyFormat }: WireRequest,
  { in: place, name }: Parameter,
): unknown {
  if (place === 'body' && bodyFormat !== 'form') return fieldAt(body, name);
  const values = { query, header: headers, body: body ?? {} }[place];
  return Object.hasOwn(values, name) ? values[name] : undefined;
}
