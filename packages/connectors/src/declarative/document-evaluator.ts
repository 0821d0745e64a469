import type { ConnectorDocument, DocumentRequest } from '@datadeck/contract/connector-document';
import { type JsonObject, ProviderError, TaskThread } from '../sdk/index.ts';
import type { Answer, DocumentAnswers, DocumentTask, Extracted, Variables } from './document-task.ts';
import type { WireRequest } from './wire-request.ts';

const SCRIPT = new URL('./document-thread.ts', import.meta.url);
const LIMITS = { timeoutMs: 10_000, heapMb: 384 };

/** A stored document that waits for its extraction. */
interface Waiting {
  record: string;
  resolve(extracted: Extracted): void;
  reject(error: unknown): void;
}

/** A thread that ended, e.g. when the process stops, says nothing about the documents: they can be read later. */
function asProviderError(error: unknown): unknown {
  if (error instanceof ProviderError) return error;
  return new ProviderError('unavailable', 'The expressions could not be evaluated.', { cause: error });
}

/**
 * Runs a document's expressions in a thread, where `EntityMapper` and `IdentityMapper` evaluate them. `extract` throws ProviderError
 * only, the other methods also SyntaxError for an answer of another format and the errors of the thread.
 */
export class DocumentEvaluator {
  readonly #text: string;
  readonly #thread = new TaskThread(SCRIPT, LIMITS);
  /** Documents to extract in this turn of the event loop, by entity. */
  readonly #waiting = new Map<string, Waiting[]>();

  constructor(document: ConnectorDocument) {
    this.#text = JSON.stringify(document);
  }

  /** Returns the values for each of which an entity is requested, as JSON texts. */
  parts(entity: string, variables: Variables): Promise<string[]> {
    return this.#run<'parts'>({ kind: 'parts', document: this.#text, entity, variables });
  }

  firstRequest(entity: string, variables: Variables): Promise<WireRequest> {
    return this.#run<'first-request'>({ kind: 'first-request', document: this.#text, entity, variables });
  }

  /** Reads a page; its bytes are moved to the thread. */
  page(
    entity: string,
    request: WireRequest,
    answer: Answer,
    variables: Variables,
  ): Promise<DocumentAnswers['page']> {
    const task = { kind: 'page', document: this.#text, entity, variables, request, answer } as const;
    return this.#run<'page'>(task, [answer.bytes.buffer]);
  }

  /** Decodes a text as `decodeElements` does. */
  decode(decode: DocumentRequest['decode'], text: string): Promise<unknown> {
    return this.#run<'decode'>({ kind: 'decode', document: this.#text, decode, text });
  }

  identityRequest(variables: Variables): Promise<WireRequest> {
    return this.#run<'identity-request'>({ kind: 'identity-request', document: this.#text, variables });
  }

  identity(answer: Answer, variables: Variables): Promise<DocumentAnswers['identity']> {
    return this.#run<'identity'>({ kind: 'identity', document: this.#text, variables, answer }, [
      answer.bytes.buffer,
    ]);
  }

  /** Extracts date and columns of a stored document. All calls of one turn of the event loop are one task. */
  extract(entity: string, document: JsonObject): Promise<Extracted> {
    return new Promise((resolve, reject) => {
      const waiting = this.#waiting.get(entity) ?? [];
      waiting.push({ record: JSON.stringify(document), resolve, reject });
      if (waiting.length > 1) return;
      this.#waiting.set(entity, waiting);
      setImmediate(() => void this.#extractWaiting(entity));
    });
  }

  async #extractWaiting(entity: string): Promise<void> {
    const waiting = this.#waiting.get(entity) ?? [];
    this.#waiting.delete(entity);
    await this.#extractAll(entity, waiting);
  }

  async #extractAll(entity: string, waiting: readonly Waiting[]): Promise<void> {
    try {
      const records = waiting.map(({ record }) => record);
      const task = { kind: 'extract', document: this.#text, entity, records } as const;
      const extracted = await this.#run<'extract'>(task);
      for (const [index, one] of extracted.entries()) waiting[index]?.resolve(one);
    } catch (error) {
      // One document that reaches a limit must not cost the others their columns.
      const isByDocument = error instanceof ProviderError && error.failure === 'malformed';
      if (isByDocument && waiting.length > 1)
        for (const one of waiting) await this.#extractAll(entity, [one]);
      else for (const { reject } of waiting) reject(asProviderError(error));
    }
  }

  /** Ends the thread, and with it what it evaluates; a later call starts another one. */
  end(): void {
    this.#thread.end();
  }

  #run<Kind extends DocumentTask['kind']>(
    task: Extract<DocumentTask, { kind: Kind }>,
    transfer: readonly ArrayBuffer[] = [],
  ): Promise<DocumentAnswers[Kind]> {
    return this.#thread.run<DocumentAnswers[Kind]>(task, transfer);
  }
}
