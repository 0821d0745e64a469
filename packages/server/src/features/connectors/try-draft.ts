import { ENTERED_ADDRESS } from '@datadeck/connectors/declarative';
import { type EntityTrial, readDocument, tryEntity } from '@datadeck/connectors/declarative/builder';
import { proveDocument } from '@datadeck/connectors/declarative/prove';
import type { ConnectorProof, ConnectorTrialRequest, ConnectorTrialResult } from '@datadeck/contract';
import { AppError } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import { type Actor, recordAction } from '../accounts/index.ts';
import { checkText, insecureAddresses, requireNoProblems, type ServerRules } from './check-document.ts';
import { requireConnector } from './drafts.ts';
import { readRecordings, storeRecording } from './recordings.ts';

/** Returns the hosts that a document may call: public ones, and those that the operator names. */
export function allowedHosts(isEntered: boolean, connectHosts: readonly string[]): readonly string[] {
  // The administrator chose the host, but a public name may lead into the operator's network.
  return isEntered ? connectHosts : ['*', ...connectHosts];
}

const NOTHING: ConnectorTrialResult = {
  request: null,
  answer: null,
  records: { count: 0, first: [] },
  nextPage: null,
  columns: [],
  suggestions: [],
  problems: [],
};

/** Trials at a time in this process: one thread evaluates their expressions, one after the other. */
const MAX_TRIALS = 4;
let trials = 0;

/** A trial, what the server says of its hosts, and who tries. */
export interface RequestedTrial {
  trial: ConnectorTrialRequest;
  rules: ServerRules;
  actor: Actor;
  /** Whether the recording keeps the names of members; it is not stored then. */
  keepsNames?: boolean;
}

/**
 * Reads one page of an entity from a host that may be called; see `tryEntity`. The audit log names the hosts that got the secret.
 * @throws AppError rate-limited while other trials run
 */
export async function tryAllowed(
  { db }: Pick<Context, 'db'>,
  key: string,
  { trial, rules, actor, keepsNames = false }: RequestedTrial,
): Promise<EntityTrial> {
  if (trials >= MAX_TRIALS)
    throw new AppError(
      'rate-limited',
      'Other trials are running on this server. Try again in a few seconds.',
      { retryAfter: 5 },
    );
  trials++;
  try {
    const { document } = await readDocument(trial.document);
    const insecure = document ? insecureAddresses(document, rules.hosts) : [];
    if (insecure.length > 0) return { result: { ...NOTHING, problems: insecure }, hosts: [] };
    const isEntered = document?.baseUrl === ENTERED_ADDRESS;
    const tried = await tryEntity(trial, { hosts: allowedHosts(isEntered, rules.hosts), keepsNames });
    const detail = `${key}, ${tried.hosts.join(', ')}`;
    if (tried.hosts.length > 0)
      await recordAction(db, { actor, action: 'connector-tried', accountId: null, detail });
    return tried;
  } finally {
    trials--;
  }
}

/**
 * Reads one page of an entity from the real API, and records the shape of the answer for the connector's draft. Wrong documents,
 * values and answers are problems of the result.
 * @throws AppError not-found; rate-limited while other trials run
 */
export async function tryDraft(
  context: Pick<Context, 'db'>,
  key: string,
  requested: RequestedTrial,
): Promise<ConnectorTrialResult> {
  const { db } = context;
  await requireConnector(db, key);
  const { result, recording, identityRecording } = await tryAllowed(context, key, requested);
  if (recording) await storeRecording(db, key, { answer: recording, records: result.records.count });
  if (identityRecording) await storeRecording(db, key, { answer: identityRecording, records: 1 });
  return result;
}

/** A proof at a time in this process: each one serves and reads collections for up to a minute. */
let running: Promise<unknown> | undefined;

/**
 * Proves a document with the recorded answers of the connector's draft.
 * @param signal ends the proof, e.g. when the caller left
 * @throws AppError not-found; validation-failed with the faults by path; rate-limited while another proof runs
 */
export async function proveDraft(
  { db }: Pick<Context, 'db'>,
  key: string,
  { text, rules, signal }: { text: string; rules: ServerRules; signal: AbortSignal },
): Promise<ConnectorProof> {
  await requireConnector(db, key);
  const document = requireNoProblems(await checkText(text, key, rules));
  if (running)
    throw new AppError('rate-limited', 'Another proof is running on this server. Try again in a minute.', {
      retryAfter: 30,
    });
  const proof = readRecordings(db, key).then((recordings) => proveDocument(document, recordings, { signal }));
  running = proof
    .catch(() => undefined)
    .finally(() => {
      running = undefined;
    });
  return proof;
}
