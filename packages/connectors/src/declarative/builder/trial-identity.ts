import type { ConnectorDocument } from '@datadeck/contract/connector-document';
import { decodeText } from '../../mail/charset.ts';
import { repeatsSecret } from '../../sdk/index.ts';
import { isAccountId } from '../account-id.ts';
import { inputOf } from '../entity-mapper.ts';
import { scalarText } from '../scalar-text.ts';
import { decodedAnswer } from './decoded-answer.ts';
import { HIDDEN, SecretHider } from './hide-secret.ts';
import { recordAnswer } from './record-answer.ts';
import { quote } from './trial-columns.ts';
import { TrialRows } from './trial-rows.ts';
import type { TrialIdentity, TrialIdentityTask } from './trial-task.ts';

/** Longest start of an answer that rules of failures are compared with, and longest name of an account. */
const MAX_TEXT = 20_000;
const MAX_ACCOUNT = 200;
/** In the place of an entity’s index: what is recorded is the answer about the account. */
const NO_ENTITY = -1;

/** Reads who is connected from an answer. Runs in the trial's thread. */
export function trialIdentity(task: TrialIdentityTask): TrialIdentity {
  const document: ConnectorDocument = JSON.parse(task.document);
  const { identity, failed } = document;
  if (!identity) throw new Error('the document identifies no account');
  const hider = new SecretHider(task.secrets);
  const headers = hider.hideIn(task.answer.headers) as Record<string, string>;
  const whole = decodeText(task.answer.bytes, { charset: '' });
  const text = hider.shorten(whole, MAX_TEXT);
  const found: TrialIdentity = { text, problems: [] };
  const report = (path: string, message: string) => {
    found.problems.push(hider.problem({ path, message }));
  };
  if (task.status >= 300) return found;
  const { decode } = identity.request;
  const decoded = decodedAnswer({ bytes: task.answer.bytes, decode, hider }, (message) =>
    report('identity.request.decode', message),
  );
  if (!decoded) return found;
  const rows = new TrialRows(report);
  const input = { ...inputOf(task.variables), ...decoded, headers };
  const failure = failed && rows.value('failed', failed, input);
  if (failure && !(Array.isArray(failure) && failure.length === 0)) {
    report(
      'failed',
      `The answer about the account counts as a failure, because this yields ${quote(failure, hider)}.`,
    );
    return found;
  }
  const subject = scalarText(rows.value('identity.subject', identity.subject, input)) ?? '';
  const account = scalarText(rows.value('identity.account', identity.account, input)) ?? '';
  // The secret was taken out of the answer.
  const isHidden = `${subject}\n${account}`.includes(HIDDEN);
  const hasSecret = isHidden && task.secrets.some((secret) => repeatsSecret(whole, secret));
  if (subject === '')
    report(
      'identity.subject',
      'It yields no text or number for this answer: no account can be connected. Look at the answer for its id.',
    );
  else if (!isAccountId(subject))
    report(
      'identity.subject',
      'Connecting refuses what it yields: an id has at most 2000 characters in one line, with single spaces only within it, and none that are invisible.',
    );
  else if (hasSecret)
    report(
      'identity.subject',
      'Connecting refuses an account whose id or name has the secret in it. Name other fields of the answer.',
    );
  else found.account = hider.shorten(account === '' ? subject : account, MAX_ACCOUNT);
  const recording = recordAnswer({
    task: { ...task, index: NO_ENTITY, answer: { ...task.answer, headers } },
    document,
    response: decoded.response,
    hider,
  });
  return { ...found, ...(recording && { recording }) };
}
