import type { ConnectorDocument } from '@datadeck/contract/connector-document';
import type { DocumentProblem } from '../document-problems.ts';

interface Refusal {
  status: number;
  /** Start of the answer. */
  text: string;
}

/** Returns where to correct what a status says, and how; undefined for a success. */
function byStatus(document: ConnectorDocument, status: number, at: string): DocumentProblem | undefined {
  const { authentication, connect } = document;
  if (status < 300) return undefined;
  if (status === 401) {
    const message = connect.secret
      ? `The service does not accept the access (status 401). Check “${connect.secret.label}”, and how it is sent.`
      : 'The service wants to know who asks (status 401). Choose how requests are authenticated.';
    return { path: 'authentication', message };
  }
  if (status === 403) {
    const who = authentication.kind === 'none' ? 'without signing in' : 'with this access';
    return {
      path: 'authentication',
      message: `The service does not allow this ${who} (status 403). Check its rights.`,
    };
  }
  const path = `${at}.request`;
  if (status === 404 || status === 410)
    return {
      path: `${path}.path`,
      message: `The service has nothing at this address (status ${status}). Check the path and the settings.`,
    };
  if (status === 405)
    return {
      path,
      message:
        'The service wants another method (status 405): choose it; GET is sent without a body, POST with one.',
    };
  if (status === 429)
    return {
      path: 'quota',
      message: 'The service asks to wait: its rate limit is used up (status 429). Try again later.',
    };
  if (status >= 500)
    return { path, message: `The service failed (status ${status}). Try again later, or check the request.` };
  if (status < 400)
    return {
      path: `${path}.path`,
      message: `The service has moved this, or sent nothing new (status ${status}).`,
    };
  return { path, message: `The service refused the request (status ${status}). The answer says why.` };
}

/**
 * Returns what an unsuccessful answer means for the document, with the rule of `failures` that matches it.
 * @param at place of what has the request: `entities.0`, `identity`
 */
export function refusalProblem(
  document: ConnectorDocument,
  { status, text }: Refusal,
  at: string,
): DocumentProblem | undefined {
  const problem = byStatus(document, status, at);
  if (!problem) return undefined;
  const entity = document.entities[Number(at.split('.')[1])]?.id;
  const rule = document.failures.findIndex(
    (one) =>
      (one.entities === undefined || (entity !== undefined && one.entities.includes(entity))) &&
      (one.status === undefined || one.status === status) &&
      (one.contains === undefined || text.includes(one.contains)) &&
      (one.means !== 'no-records' || at !== 'identity'),
  );
  const means = document.failures[rule]?.means;
  if (means === 'no-records')
    return {
      path: `${at}.records`,
      message: `The service has no records here (status ${status}), by rule ${rule + 1} of failures: a run takes this for an empty list.`,
    };
  return means === undefined
    ? problem
    : { ...problem, message: `${problem.message} By rule ${rule + 1} of failures, it means ${means}.` };
}
