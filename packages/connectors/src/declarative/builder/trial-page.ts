import type { ConnectorDocument, DocumentEntity } from '@datadeck/contract/connector-document';
import { isRecord } from '@datadeck/contract/table-columns';
import { decodeText } from '../../mail/charset.ts';
import { isEmptyAnswer, isInteger, type JsonObject } from '../../sdk/index.ts';
import { classifierOf } from '../classify.ts';
import { inputOf } from '../entity-mapper.ts';
import { decodedAnswer } from './decoded-answer.ts';
import { HIDDEN, SecretHider } from './hide-secret.ts';
import { recordAnswer } from './record-answer.ts';
import { suggestColumns } from './suggest-columns.ts';
import { entriesOf, quote, SHOWN, TrialColumns } from './trial-columns.ts';
import { trialNext } from './trial-next.ts';
import { TrialRows } from './trial-rows.ts';
import type { TrialPage, TrialPageTask } from './trial-task.ts';

/** Longest text of an answer, of a record, and of an example that a trial shows. */
const MAX_TEXT = 20_000;
const MAX_RECORD = 20_000;
const MAX_EXAMPLE = 100;
const MAX_PROBLEMS = 100;

/** Reads one answer for a trial. */
class PageTrial {
  readonly #task: TrialPageTask;
  readonly #document: ConnectorDocument;
  readonly #entity: DocumentEntity;
  readonly #at: string;
  readonly #hider: SecretHider;
  readonly #rows: TrialRows;
  readonly page: TrialPage;

  constructor(task: TrialPageTask) {
    this.#hider = new SecretHider(task.secrets);
    const headers = this.#hider.hideIn(task.answer.headers) as Record<string, string>;
    this.#task = { ...task, answer: { ...task.answer, headers } };
    this.#document = JSON.parse(task.document);
    const entity = this.#document.entities[task.index];
    if (!entity) throw new Error('the document has no such entity');
    this.#entity = entity;
    this.#at = `entities.${task.index}`;
    this.#rows = new TrialRows((path, message) => this.report(path, message));
    const text = decodeText(task.answer.bytes, { charset: '' });
    this.page = {
      text: this.#hider.hide(text).slice(0, MAX_TEXT),
      records: { count: 0, first: [] },
      nextPage: null,
      columns: [],
      suggestions: [],
      problems: [],
    };
  }

  report(path: string, message: string): void {
    const { problems } = this.page;
    if (problems.length < MAX_PROBLEMS) problems.push(this.#hider.problem({ path, message }));
  }

  /** Reads an answer of status 200 to 299. */
  read(): void {
    const { answer, variables } = this.#task;
    const { decode } = this.#entity.request;
    const decoded = decodedAnswer({ bytes: answer.bytes, decode, hider: this.#hider }, (message) =>
      this.report(`${this.#at}.request.decode`, message),
    );
    if (!decoded) return;
    const { response } = decoded;
    const input = { ...inputOf(variables), response, headers: answer.headers };
    if (this.#hasFailed(input)) return;
    const path = `${this.#at}.records`;
    const found = this.#rows.value(path, this.#entity.records, input);
    const { entries, records } = entriesOf(found);
    this.#checkEntries(path, { entries, records });
    const columns = new TrialColumns(this.#entity, this.#at, {
      rows: this.#rows,
      report: (place, message) => this.report(place, message),
      hider: this.#hider,
    });
    const stored = columns.stored(records, input);
    this.#readNext(input, entries.length);
    this.#show(stored, columns);
    if (stored[0]) this.page.parent = JSON.stringify(stored[0]);
    this.#record(response);
  }

  #hasFailed(input: object): boolean {
    const { failed } = this.#document;
    const value = failed && this.#rows.value('failed', failed, { ...input });
    if (!value || (Array.isArray(value) && value.length === 0)) return false;
    const { id: entity } = this.#entity;
    const body = JSON.stringify(value);
    const answer = { status: 200, headers: new Headers(), body, now: Date.now(), entity };
    const means = isEmptyAnswer(classifierOf(this.#document)(answer))
      ? 'has no records by a rule of failures'
      : 'counts as a failure';
    this.report('failed', `The answer ${means}, because this yields ${quote(value, this.#hider)}.`);
    return true;
  }

  #checkEntries(path: string, { entries, records }: { entries: unknown[]; records: JsonObject[] }): void {
    const other = entries.find((entry) => !isRecord(entry));
    if (this.page.problems.some((problem) => problem.path === path)) return;
    if (entries.length === 0)
      this.report(
        path,
        'It yields no list for this answer: no record is found. Look at the answer for where the records are.',
      );
    else if (records.length === 0)
      this.report(path, `It yields ${quote(other, this.#hider)}: records must be objects.`);
    else if (records.length < entries.length)
      this.report(
        path,
        `It yields ${quote(other, this.#hider)} among the records: it is left out, because it is no object.`,
      );
  }

  #readNext(input: object, found: number): void {
    const { pagination, total: expression } = this.#entity;
    const path = `${this.#at}.pagination`;
    const counted =
      'count' in pagination && pagination.count !== undefined
        ? this.#rows.value(`${path}.count`, pagination.count, { ...input })
        : undefined;
    const count = isInteger(counted) && counted >= 0 ? counted : found;
    const total =
      expression === undefined ? undefined : this.#rows.value(`${this.#at}.total`, expression, { ...input });
    if (total !== undefined && total !== null && !(isInteger(total) && total >= 0))
      this.report(
        `${this.#at}.total`,
        `It yields ${quote(total, this.#hider)}, which is no number of records.`,
      );
    if ('size' in pagination && count > pagination.size)
      this.report(
        `${path}.size`,
        `The page has ${count} records. Write this number, or ask for ${pagination.size}.`,
      );
    const place = 'next' in pagination ? `${path}.next` : path;
    const next = 'next' in pagination ? this.#rows.value(place, pagination.next, { ...input }) : undefined;
    const { response } = input as { response: unknown };
    const following = trialNext(this.#task, { pagination, count, next, total, response }, (message) =>
      this.report(place, message),
    );
    if (following) this.page.nextPage = this.#hider.hide(this.#shownAddress(following)).slice(0, MAX_TEXT);
  }

  /** Returns path and query without the parameter that has the secret. */
  #shownAddress({ path, query }: { path: string; query: URLSearchParams }): string {
    const { authentication } = this.#document;
    if (authentication.kind === 'api-key' && authentication.in === 'query') query.delete(authentication.name);
    for (const [name, value] of [...query])
      if (value.includes(HIDDEN) || this.#hider.isIn(value)) query.delete(name);
    return query.size === 0 ? path : `${path}?${query}`;
  }

  #show(records: readonly JsonObject[], columns: TrialColumns): void {
    const { request, columns: declared, key } = this.#entity;
    this.page.records = {
      count: records.length,
      first: records
        .slice(0, SHOWN)
        .map((record) => this.#hider.hide(JSON.stringify(record, null, 2)).slice(0, MAX_RECORD)),
    };
    this.page.columns = columns.columns(records);
    this.page.suggestions = suggestColumns(records, {
      read: Object.values(declared).map(({ value }) => value),
      taken: Object.keys(declared),
      decode: request.decode,
    })
      .filter(({ value }) => !value.includes(HIDDEN) && !this.#hider.isIn(value) && value !== key)
      .map((suggestion) => ({
        ...suggestion,
        example: this.#hider.shorten(suggestion.example, MAX_EXAMPLE),
      }));
  }

  #record(response: unknown): void {
    const recording = recordAnswer({
      task: this.#task,
      document: this.#document,
      response,
      hider: this.#hider,
    });
    if (recording) this.page.recording = recording;
  }
}

/** Returns what a trial shows of an answer. Runs in the trial's thread. */
export function trialPage(task: TrialPageTask): TrialPage {
  const trial = new PageTrial(task);
  if (task.status < 300) trial.read();
  return trial.page;
}
