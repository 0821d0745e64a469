import { randomUUID } from 'node:crypto';
import type { ConnectorDocument } from '@datadeck/contract/connector-document';
import type { FaultAnswer } from '../../sdk/conformance/faults.ts';
import { ProviderError } from '../../sdk/index.ts';
import { ENTERED_ADDRESS } from '../access.ts';
import { IDENTITY, type RecordedAnswer } from '../builder/recorded-answer.ts';
import type { DocumentEvaluator } from '../document-evaluator.ts';
import type { Variables } from '../document-task.ts';
import { type FormValues, formValuesOf } from '../form-values.ts';
import { identify } from '../identify.ts';
import { CONTENT_TYPES, writeAnswer } from '../written-answer.ts';
import { currentRecording } from './current-recording.ts';
import { failed, type Outcome, PASSED, undecided } from './outcome.ts';
import { valuesFor } from './proof-values.ts';
import { ProofServer } from './stand-in.ts';
import { leavesOf, withValue } from './tree.ts';

/** How a check of the account ends. */
export interface IdentityCheck {
  title: string;
  /** Place in the document. */
  path: string;
  outcome: Outcome;
}

const MAX_LEAVES = 60;
const HTML = '<!doctype html><html><body><h1>Be right back</h1></body></html>';
const MAINTENANCE = { message: 'Down for maintenance' };
/** Times of two sign-ins. */
const TIMES = ['2026-01-05T10:00:00.000Z', '2026-02-06T11:00:00.000Z'] as const;

/** Returns other values of the same form; a text of digits stays one at first: expressions may read its number. */
function othersOf(value: string | number): (string | number)[] {
  if (typeof value === 'number') return [Math.abs(value) < 1e15 ? value + 1 : value * 2];
  return /^\d+$/.test(value) ? [`${value}1`, `${value}x`] : [`${value}x`];
}

/** The request of a document about the account, and a stand-in that answers it. */
class IdentityProof {
  readonly #document: ConnectorDocument;
  readonly #identity: NonNullable<ConnectorDocument['identity']>;
  readonly #evaluator: DocumentEvaluator;
  readonly #recording: RecordedAnswer;
  readonly #config: Record<string, string>;
  readonly #secrets: FormValues['secrets'];
  readonly #secret = `proof-${randomUUID()}`;
  readonly #server: ProofServer;

  constructor(document: ConnectorDocument, evaluator: DocumentEvaluator, recording: RecordedAnswer) {
    if (!document.identity) throw new Error('the document identifies no account');
    this.#document = document;
    this.#identity = document.identity;
    this.#evaluator = evaluator;
    this.#recording = recording;
    const { fields, secrets } = formValuesOf(document, valuesFor(document.connect.fields));
    this.#config = { ...fields };
    this.#secrets = secrets;
    this.#server = new ProofServer(document, { secret: this.#secret, fields: this.#config, secrets });
  }

  async run(): Promise<IdentityCheck[]> {
    await this.#server.start();
    if (this.#document.baseUrl === ENTERED_ADDRESS) this.#config.address = `${this.#server.url}/entered`;
    const checks: IdentityCheck[] = [];
    try {
      const steps: [title: string, path: string, run: () => Promise<Outcome>][] = [
        ['The recorded answer says whose account it is', 'identity.subject', () => this.#checkRecorded()],
        ['Each account has an id of its own, at any time', 'identity.subject', () => this.#checkSubject()],
        ['The secret is sent, and the account connected', 'authentication', () => this.#checkConnection()],
        ['A refused secret connects nobody', 'failures', () => this.#checkRefusal()],
        ['Another answer connects nobody', 'failed', () => this.#checkOthers()],
      ];
      for (const [title, path, run] of steps) {
        const outcome = await run();
        checks.push({ title, path: outcome.path ?? path, outcome });
        if (outcome.outcome === 'failed') break;
      }
    } finally {
      this.#server.close();
    }
    return checks;
  }

  /** Returns the id that an answer has; undefined for a failure or none. */
  async #subjectOf(text: string, changes: Partial<Variables> = {}): Promise<string | 'failed' | undefined> {
    const bytes = new Uint8Array(Buffer.from(text));
    const variables = { config: this.#config, settings: {}, now: TIMES[0], ...changes };
    try {
      const read = await this.#evaluator.identity({ bytes, headers: this.#recording.headers }, variables);
      return 'failedBody' in read ? 'failed' : read.subject;
    } catch (error) {
      if (error instanceof SyntaxError || (error instanceof ProviderError && error.failure === 'malformed'))
        return undefined;
      throw error;
    }
  }

  async #checkRecorded(): Promise<Outcome> {
    const subject = await this.#subjectOf(this.#recording.text);
    if (subject === 'failed')
      return failed(
        'The recorded answer about the account is a good one, but “failed” calls it a failure. Let it pass.',
        'failed',
      );
    if (subject !== undefined) return PASSED;
    return failed('The expression finds no id in the recorded answer about the account. Correct its path.');
  }

  async #checkSubject(): Promise<Outcome> {
    const { text } = this.#recording;
    const subject = await this.#subjectOf(text);
    if ((await this.#subjectOf(text, { now: TIMES[1] })) !== subject)
      return failed(
        'The id changes with the time, so the same account would be connected again and again. Name a field with its id.',
      );
    const config = Object.fromEntries(
      Object.entries(this.#config).map(([name, value]) => [name, `${value}x`]),
    );
    const others = [this.#subjectOf(text, { config })];
    const { decode } = this.#identity.request;
    const tree = await this.#evaluator.decode(decode, text);
    const changeable = leavesOf(tree).flatMap(({ place, value }) =>
      typeof value === 'string' || typeof value === 'number' ? [{ place, value }] : [],
    );
    for (const { place, value } of changeable.slice(0, MAX_LEAVES))
      for (const other of othersOf(value))
        others.push(this.#subjectOf(writeAnswer(decode, withValue(tree, place, other))));
    const found = await Promise.all(others);
    if (found.some((other) => other !== undefined && other !== 'failed' && other !== subject)) return PASSED;
    if (changeable.length > MAX_LEAVES)
      return undecided(
        `The id does not depend on the first ${MAX_LEAVES} values of the answer, and no others were tried. Ask for fewer fields, or look yourself whether “subject” names the id of the account.`,
      );
    if (found.includes(undefined))
      return undecided(
        'The id could not be read from answers with other values, so nothing shows whether it differs. Look yourself whether “subject” names the id of the account.',
      );
    return failed(
      'The id is the same for each account, so that a person could connect only one. Name a field with the id of the account.',
    );
  }

  /** Signs in at the stand-in. @returns the id of the account, or why not */
  async #signIn(answer: FaultAnswer): Promise<{ subject: string } | { failure: string }> {
    this.#server.reset();
    this.#server.answer = answer;
    const accessToken = this.#document.authentication.kind === 'none' ? '' : this.#secret;
    const options = {
      baseUrl: this.#server.url,
      hosts: ['127.0.0.1'],
      identity: {
        request: (variables: Variables) => this.#evaluator.identityRequest(variables),
        read: (...read: Parameters<DocumentEvaluator['identity']>) => this.#evaluator.identity(...read),
      },
    };
    try {
      const entered = { accessToken, fields: this.#config, secrets: this.#secrets };
      const { subject } = await identify(this.#document, options, entered);
      return { subject };
    } catch (error) {
      if (error instanceof ProviderError) return { failure: error.failure };
      throw error;
    }
  }

  async #checkConnection(): Promise<Outcome> {
    const { headers, text } = this.#recording;
    const type = headers['content-type'] ?? CONTENT_TYPES[this.#identity.request.decode];
    const signedIn = await this.#signIn({
      status: 200,
      body: text,
      headers: { ...headers, 'content-type': type },
    });
    if (this.#server.withoutSecret > 0)
      return failed(
        'The secret was not sent with the request about the account. Correct how requests prove who asks.',
      );
    if ('subject' in signedIn) return PASSED;
    return failed(
      `The account could not be connected (${signedIn.failure}). Correct the request of “identity”.`,
      'identity.request',
    );
  }

  async #checkRefusal(): Promise<Outcome> {
    if (this.#document.authentication.kind === 'none') return PASSED;
    const signedIn = await this.#signIn({ status: 401, body: '{"error":"invalid token"}' });
    if ('failure' in signedIn && signedIn.failure === 'reauthorise') return PASSED;
    const failure = 'failure' in signedIn ? signedIn.failure : 'connected';
    return failed(
      `A refused secret (status 401) is taken for something else (${failure}). Correct the rule of “failures” that matches it.`,
    );
  }

  async #checkOthers(): Promise<Outcome> {
    const { decode } = this.#identity.request;
    const isXml = decode === 'xml' || decode === 'feed';
    const json = { 'content-type': 'application/json' };
    const answers: FaultAnswer[] = [
      { status: 200, body: HTML, headers: { 'content-type': 'text/html' } },
      isXml
        ? {
            status: 200,
            body: writeAnswer('xml', { maintenance: MAINTENANCE }),
            headers: { 'content-type': CONTENT_TYPES.xml },
          }
        : { status: 200, body: JSON.stringify(MAINTENANCE), headers: json },
    ];
    for (const answer of answers) {
      const signedIn = await this.#signIn(answer);
      if ('subject' in signedIn)
        return failed(
          'A good answer (status 200) that says nothing about an account, such as {"message": "Down for maintenance"}, connects one. Let “failed” yield something then, or “subject” nothing.',
        );
    }
    return PASSED;
  }
}

/**
 * Proves the request about the account with its recorded answer.
 * @param original the document with its own base address and authentication
 * @throws ProofStoppedError without a recorded answer
 */
export async function proveIdentity(
  document: ConnectorDocument,
  {
    original,
    recordings,
    evaluator,
  }: { original: ConnectorDocument; recordings: readonly RecordedAnswer[]; evaluator: DocumentEvaluator },
): Promise<IdentityCheck[]> {
  const recording = currentRecording(recordings, {
    document: original,
    id: IDENTITY,
    what: 'any entity',
    whose: 'the account’s',
  });
  return new IdentityProof(document, evaluator, recording).run();
}
