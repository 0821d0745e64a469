import type { ConnectorDocument } from '@datadeck/contract/connector-document';
import { ProviderError } from '../../sdk/index.ts';
import type { DocumentProblem } from '../document-problems.ts';
import { inputOf } from '../entity-mapper.ts';
import { compileBounded } from '../expression.ts';
import { pathExpressions } from '../path-holes.ts';
import { RequestBuilder } from '../request-builder.ts';
import { messageOfError } from './check-expressions.ts';
import type { TrialRequest, TrialTask } from './trial-task.ts';

/** What Node sends in a header. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Builds the first request of an entity. Runs in the trial's thread. */
export function trialRequest({ document: text, index, variables }: TrialTask): TrialRequest {
  const document = JSON.parse(text) as ConnectorDocument;
  const entity = document.entities[index];
  if (!entity) return { problems: [{ path: 'entities', message: 'There is no such entity.' }] };
  const at = `entities.${index}.request`;
  const input = inputOf(variables);
  try {
    const request = new RequestBuilder(entity.title, document, entity.request, entity).first(input);
    const wrong = Object.keys(request.headers).filter(
      (name) => !HEADER_VALUE.test(request.headers[name] ?? ''),
    );
    const problems = wrong.map((name) => ({
      path: `${at}.headers.${name}`,
      message: 'Its value has characters that no header can have.',
    }));
    return problems.length > 0 ? { problems } : { request, problems };
  } catch (error) {
    const { path, query, headers, body } = entity.request;
    const parts: [path: string, expression: string][] = [
      ...pathExpressions(path).map((hole): [string, string] => [`${at}.path`, hole]),
      ...Object.entries(query).map(([name, one]): [string, string] => [`${at}.query.${name}`, one]),
      ...Object.entries(headers).map(([name, one]): [string, string] => [`${at}.headers.${name}`, one]),
      ...(body === undefined ? [] : [[`${at}.body`, body] as [string, string]]),
    ];
    const failing = parts.flatMap(([place, expression]): DocumentProblem[] => {
      try {
        compileBounded(expression).evaluate(input);
        return [];
      } catch (cause) {
        return [{ path: place, message: messageOfError(cause) }];
      }
    });
    if (failing.length > 0) return { problems: failing };
    const isEmpty = error instanceof ProviderError && error.failure === 'invalid';
    const place = isEmpty ? `${at}.path` : body === undefined ? at : `${at}.body`;
    return { problems: [{ path: place, message: messageOfError(error) }] };
  }
}
