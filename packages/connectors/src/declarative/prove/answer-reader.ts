import type { DocumentEntity } from '@datadeck/contract/connector-document';
import { type ConnectorRecord, ProviderError, receiveRecords } from '../../sdk/index.ts';
import type { DocumentEvaluator } from '../document-evaluator.ts';
import type { Variables } from '../document-task.ts';
import type { WireRequest } from '../wire-request.ts';
import { writeAnswer } from '../written-answer.ts';
import { ProofStoppedError } from './proof-stopped-error.ts';

/** A decoded answer with its headers, by names in small letters. */
export interface DecodedAnswer {
  tree: unknown;
  headers: Readonly<Record<string, string>>;
}

/** What a document makes of an answer. */
export interface ReadAnswer {
  records: (ConnectorRecord & { data: Buffer })[];
  /** Number of what `records` found, also what has no key. */
  entries: number;
  next: WireRequest | null;
  total: number | null;
}

/** Reads answers with the expressions of one entity, as a run does. */
export class AnswerReader {
  readonly entity: DocumentEntity;
  /** Request of the first page. */
  readonly request: WireRequest;
  readonly #evaluator: DocumentEvaluator;
  readonly #variables: Variables;

  private constructor(
    evaluator: DocumentEvaluator,
    entity: DocumentEntity,
    { variables, request }: { variables: Variables; request: WireRequest },
  ) {
    this.#evaluator = evaluator;
    this.entity = entity;
    this.#variables = variables;
    this.request = request;
  }

  /**
   * Opens the first part of an entity with `parts`.
   * @throws ProviderError if the request cannot be made; ProofStoppedError for an entity without a part
   */
  static async open(
    evaluator: DocumentEvaluator,
    entity: DocumentEntity,
    given: Variables,
  ): Promise<AnswerReader> {
    const [part] = entity.parts === undefined ? [] : await evaluator.parts(entity.id, given);
    if (entity.parts !== undefined && part === undefined)
      throw new ProofStoppedError('undecided', 'parts', 'It yields no part for the values of this proof.');
    const variables = part === undefined ? given : { ...given, part };
    const request = await evaluator.firstRequest(entity.id, variables);
    return new AnswerReader(evaluator, entity, { variables, request });
  }

  decode(text: string): Promise<unknown> {
    return this.#evaluator.decode(this.entity.request.decode, text);
  }

  /** Reads an answer. @returns 'failed' for one that the document calls a failure @throws the errors of `DocumentEvaluator.page` */
  async readOrThrow({ tree, headers }: DecodedAnswer): Promise<ReadAnswer | 'failed'> {
    const bytes = new Uint8Array(Buffer.from(writeAnswer(this.entity.request.decode, tree)));
    const page = await this.#evaluator.page(
      this.entity.id,
      this.request,
      { bytes, headers },
      this.#variables,
    );
    if ('failedBody' in page) return 'failed';
    const records = receiveRecords(page.records);
    return { records, entries: records.length + page.skipped, next: page.next, total: page.total };
  }

  /** Reads an answer; undefined if its expressions fail, or the document calls it a failure. */
  async read(answer: DecodedAnswer): Promise<ReadAnswer | undefined> {
    try {
      const read = await this.readOrThrow(answer);
      return read === 'failed' ? undefined : read;
    } catch (error) {
      if (error instanceof SyntaxError || (error instanceof ProviderError && error.failure === 'malformed'))
        return undefined;
      throw error;
    }
  }
}
