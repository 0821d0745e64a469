import { randomUUID } from 'node:crypto';
import type { ConnectorDocument, DocumentEntity } from '@datadeck/contract/connector-document';
import { Reader, type Run } from '../../sdk/conformance/reading.ts';
import type { ReadRequest } from '../../sdk/index.ts';
import { ENTERED_ADDRESS } from '../access.ts';
import { documentWords } from '../builder/document-words.ts';
import type { RecordedAnswer } from '../builder/recorded-answer.ts';
import { isDayFirstIn } from '../date-form.ts';
import type { DocumentEvaluator } from '../document-evaluator.ts';
import type { Variables } from '../document-task.ts';
import { type FormValues, formValuesOf } from '../form-values.ts';
import { declarativeConnector } from '../index.ts';
import { AnswerReader } from './answer-reader.ts';
import { type AnswerTemplate, findTemplate } from './answer-template.ts';
import { currentRecording } from './current-recording.ts';
import { type Outcome, PASSED } from './outcome.ts';
import { paginationOutcome } from './page-evidence.ts';
import { ProofStoppedError } from './proof-stopped-error.ts';
import { valuesFor } from './proof-values.ts';
import { findRecordTemplate, type RecordTemplate } from './record-template.ts';
import { ProofServer } from './stand-in.ts';
import { type ListItem, PAGE_SIZE, StandInList } from './stand-in-list.ts';

const DAY_MS = 86_400_000;
/** Time between two changes. */
const TICK_MS = 7000;
/** Records of each list, by the number of parents: at most 25 of an entity. */
const SIZES = [[2 * PAGE_SIZE + 1], [2, PAGE_SIZE + 1], [2, 2, PAGE_SIZE + 1]] as const;

/** What is found in the recorded answer of an entity. */
interface Templates {
  answer: AnswerTemplate;
  records: RecordTemplate;
}

/** One entity of a document, a stand-in for its service, and a reader. */
export class EntityProof {
  readonly document: ConnectorDocument;
  readonly entity: DocumentEntity;
  readonly secret = `proof-${randomUUID()}`;
  readonly server: ProofServer;
  /** The document with the sizes of pages that it declares. */
  readonly #original: ConnectorDocument;
  readonly #evaluator: DocumentEvaluator;
  readonly #recordings: readonly RecordedAnswer[];
  readonly #signal: AbortSignal;
  readonly #config: Record<string, string>;
  readonly #secrets: FormValues['secrets'];
  readonly #settings: Record<string, string>;
  /** The lists of the entity, and their records at the start. */
  #lists: StandInList[] = [];
  readonly #items = new Map<StandInList, readonly ListItem[]>();
  readonly #start = Math.floor(Date.now() / 1000) * 1000 - DAY_MS;
  #count = 0;
  #revision = 0;
  #templates: Templates | undefined;
  readonly #isDayFirst: boolean;
  /** Whether the recorded answer shows that pages are asked for as the document does. */
  pagination: Outcome = PASSED;
  /** Ids of the records at the start. */
  ids: readonly string[] = [];
  #reader: Reader | undefined;

  constructor(
    document: ConnectorDocument,
    entity: DocumentEntity,
    options: {
      original: ConnectorDocument;
      recordings: readonly RecordedAnswer[];
      signal: AbortSignal;
      evaluator: DocumentEvaluator;
    },
  ) {
    this.document = document;
    this.#original = options.original;
    this.entity = entity;
    this.#recordings = options.recordings;
    this.#signal = options.signal;
    this.#evaluator = options.evaluator;
    this.#isDayFirst = isDayFirstIn(documentWords(document, entity.id).texts);
    const { fields, secrets } = formValuesOf(document, valuesFor(document.connect.fields));
    this.#config = { ...fields };
    this.#secrets = secrets;
    this.#settings = valuesFor(entity.settings);
    this.server = new ProofServer(document, { secret: this.secret, fields: this.#config, secrets });
  }

  /** Starts the stand-in with the records of the start. @throws ProofStoppedError if they cannot be made of the recorded answers */
  async open(): Promise<void> {
    await this.server.start();
    const isEntered = this.document.baseUrl === ENTERED_ADDRESS;
    if (isEntered) this.#config.address = `${this.server.url}/entered`;
    await this.#build();
    this.ids = (await Promise.all(this.#lists.map((list) => list.idsOf(list.items)))).flat();
    for (const list of this.#lists) this.#items.set(list, list.items);
    this.reset();
  }

  close(): void {
    this.server.close();
  }

  /** Restores the records of the start, without faults; the next reader has nothing stored. */
  reset(): void {
    this.server.reset();
    this.server.now = this.#start;
    for (const [list, items] of this.#items) list.items = [...items];
    const connector = declarativeConnector(this.document, {
      baseUrl: this.server.url,
      hosts: ['127.0.0.1'],
      unitsPerMinute: Number.POSITIVE_INFINITY,
      evaluator: this.#evaluator,
    });
    const credentials = {
      accessToken: this.document.authentication.kind === 'none' ? '' : this.secret,
      fields: this.#config,
      secrets: this.#secrets,
      scopes: [],
      method: 'form' as const,
    };
    this.#reader = new Reader(
      { entity: this.entity.id, settings: this.#settings },
      { connector, credentials },
    );
  }

  get reader(): Reader {
    if (!this.#reader) throw new Error('the proof has not begun');
    return this.#reader;
  }

  get lists(): readonly StandInList[] {
    return this.#lists;
  }

  get templates(): Templates {
    if (!this.#templates) throw new Error('the proof has not begun');
    return this.#templates;
  }

  /** Reads to the end. @throws ProviderError */
  run(more: Partial<ReadRequest> = {}): Promise<Run> {
    return this.reader.run({ signal: this.#signal, ...more });
  }

  /** Returns the failure of a run: 'none' without one. @throws the reason of an abort */
  async failure(more: Partial<ReadRequest> = {}): Promise<string> {
    const failure = await this.reader.failure({ signal: this.#signal, ...more });
    this.#signal.throwIfAborted();
    return failure;
  }

  /** Returns the request of the reader's other methods. */
  request(): ReadRequest {
    return this.reader.request({ signal: this.#signal });
  }

  #newRecord(): ListItem {
    const number = this.#count++;
    return {
      number,
      created: this.#start - 60 * DAY_MS + number * (DAY_MS + TICK_MS),
      changed: this.#start - 30 * DAY_MS + ((number * 7) % 25) * DAY_MS + number * TICK_MS,
      revision: ++this.#revision,
    };
  }

  #tick(): number {
    this.server.now += TICK_MS;
    return this.server.now;
  }

  /** Adds a record, or a given element, to the first list. @returns its id; undefined if it has no key */
  async insert(element?: unknown): Promise<string | undefined> {
    const now = this.#tick();
    const item = {
      ...this.#newRecord(),
      created: now,
      changed: now,
      ...(element !== undefined && { element }),
    };
    const [list] = this.#lists;
    list?.items.push(item);
    return (await list?.idsOf([item]))?.[0];
  }

  /** Returns the element that the next record would be. */
  nextElement(): unknown {
    return this.templates.records.write({
      ...this.#newRecord(),
      created: this.#tick(),
      changed: this.server.now,
    });
  }

  /** Changes a record. @returns its id */
  async update(list: StandInList, item: ListItem): Promise<string | undefined> {
    const changed = { ...item, changed: this.#tick(), revision: ++this.#revision };
    list.items = list.items.map((one) => (one === item ? changed : one));
    return (await list.idsOf([changed]))[0];
  }

  /** The entities from the topmost parent to the one that is proved. */
  #chain(): DocumentEntity[] {
    const chain = [this.entity];
    for (let { parent } = this.entity; parent !== undefined; ) {
      const found = this.document.entities.find(({ id }) => id === parent);
      if (!found) break;
      chain.unshift(found);
      parent = found.parent;
    }
    return chain;
  }

  async #build(): Promise<void> {
    const chain = this.#chain();
    this.#recordingOf(this.entity);
    const base: Variables = {
      config: this.#config,
      settings: this.#settings,
      now: new Date(this.#start).toISOString(),
    };
    let parents: (string | undefined)[] = [undefined];
    for (const [level, entity] of chain.entries()) {
      const size = SIZES[chain.length - 1]?.[level] ?? PAGE_SIZE;
      const isLast = level === chain.length - 1;
      let templates: Templates | undefined;
      const next: string[] = [];
      for (const parent of parents) {
        const variables = { ...base, ...(parent !== undefined && { parent }) };
        const reader = await AnswerReader.open(this.#evaluator, entity, variables);
        const recording = this.#recordingOf(entity);
        templates ??= await this.#templatesOf(reader, recording, isLast);
        const list = await this.#list({ reader, templates, size });
        if (!this.server.add(entity, reader.request, list) && isLast)
          throw new ProofStoppedError(
            'failed',
            'request',
            'The request is the same for each record of the parent. Use a field of “parent” in its path, query or body.',
          );
        if (isLast) this.#lists.push(list);
        else next.push(...(await list.documents()));
      }
      if (isLast) this.#templates = templates;
      parents = next;
    }
  }

  #recordingOf({ id, title }: DocumentEntity): RecordedAnswer {
    const what = id === this.entity.id ? 'this entity' : title;
    return currentRecording(this.#recordings, { document: this.#original, id, what });
  }

  async #templatesOf(reader: AnswerReader, recording: RecordedAnswer, isLast: boolean): Promise<Templates> {
    try {
      const tree = await reader.decode(recording.text);
      const answer = await findTemplate(reader, { tree, headers: recording.headers });
      const records = await findRecordTemplate(reader, answer, this.#isDayFirst);
      const declared = this.#original.entities.find(({ id }) => id === reader.entity.id);
      const pagination = paginationOutcome(declared ?? reader.entity, answer, recording);
      if (isLast) this.pagination = pagination;
      return { answer, records };
    } catch (error) {
      if (error instanceof SyntaxError)
        throw new ProofStoppedError(
          'failed',
          'request.decode',
          `The recorded answer is not ${reader.entity.request.decode.toUpperCase()}. Choose how answers are decoded.`,
        );
      if (isLast || !(error instanceof ProofStoppedError)) throw error;
      throw new ProofStoppedError(
        'undecided',
        'parent',
        `Correct ${reader.entity.title} first, whose records it needs.`,
      );
    }
  }

  /** Makes a list of records, and checks that each has a key. */
  async #list({
    reader,
    templates,
    size,
  }: {
    reader: AnswerReader;
    templates: Templates;
    size: number;
  }): Promise<StandInList> {
    const items = Array.from({ length: size }, () => this.#newRecord());
    // The elements of a recorded answer may differ in more than their values.
    for (const records of [templates.records, templates.records.ofFirst()]) {
      const list = new StandInList(reader, { answer: templates.answer, records });
      list.items = items;
      if (new Set(await list.idsOf(items)).size === size) return list;
    }
    throw new ProofStoppedError(
      'undecided',
      'key',
      'The keys of the recorded answer cannot be imitated, so this could not be proved.',
    );
  }
}
