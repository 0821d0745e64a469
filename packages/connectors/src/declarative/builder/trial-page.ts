import type { ConnectorDocument, DocumentEntity } from '@datadeck/contract/connector-document';
import { isRecord } from '@datadeck/contract/table-columns';
import { decodeText } from '../../mail/charset.ts';
import { isInteger, type JsonObject, ProviderError } from '../../sdk/index.ts';
import { decode } from '../decode.ts';
import { inputOf } from '../entity-mapper.ts';
import { SecretHider } from './hide-secret.ts';
import { recordAnswer } from './record-answer.ts';
import { suggestColumns } from './suggest-columns.ts';
import { entriesOf, quote, SHOWN, TrialColumns } from './trial-columns.ts';
import { trialNext } from './trial-next.ts';
import { TrialRows } from './trial-rows.ts';
import type { TrialPage, TrialPageTask } from './trial-task.ts';

/** Longest text of an answer, of a record, and of a message that a trial shows. */
const MAX_TEXT = 20_000;
const MAX_RECORD = 20_000;
const MAX_MESSAGE = 500;
const MAX_PROBLEMS = 100;

const FORMATS: Readonly<Record<DocumentEntity['request']['decode'], string>> = {
  json: 'JSON',
  ndjson: 'JSON lines',
  csv: 'CSV',
  xml: 'XML',
  feed: 'a feed',
};

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
    this.#task = task;
    this.#document = JSON.parse(task.document);
    const entity = this.#document.entities[task.index];
    if (!entity) throw new Error('the document has no such entity');
    this.#entity = entity;
    this.#at = `entities.${task.index}`;
    this.#hider = new SecretHider(task.secrets);
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
    const hidden = this.#hider.hide(message);
    const short = hidden.length > MAX_MESSAGE ? `${hidden.slice(0, MAX_MESSAGE)}…` : hidden;
    if (problems.length < MAX_PROBLEMS) problems.push({ path: this.#hider.hide(path), message: short });
  }

  /** Reads an answer of status 200 to 299. */
  read(): void {
    const { answer, variables } = this.#task;
    const decoded = this.#decoded();
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
    });
    const stored = columns.stored(records, input);
    this.#readNext(input, entries.length);
    this.#show(stored, columns);
    if (stored[0]) this.page.parent = JSON.stringify(stored[0]);
    this.#record(response);
  }

  #decoded(): { response: unknown } | undefined {
    const { decode: kind } = this.#entity.request;
    const { bytes } = this.#task.answer;
    const path = `${this.#at}.request.decode`;
    try {
      if (bytes.length > 0) return { response: decode(kind, bytes) };
      this.report(path, 'The answer is empty.');
    } catch (error) {
      const reason =
        error instanceof ProviderError || error instanceof RangeError
          ? error.message
          : `The answer is not ${FORMATS[kind]}`;
      const isHtml = /^\s{0,100}<(?:!doctype|html)/i.test(this.page.text);
      this.report(
        path,
        isHtml
          ? `${reason.replace(/\.$/, '')}, but a page of HTML. Check the path and the base address.`
          : `${reason.replace(/\.$/, '')}.`,
      );
    }
    return undefined;
  }

  #hasFailed(input: object): boolean {
    const { failed } = this.#document;
    const value = failed && this.#rows.value('failed', failed, { ...input });
    if (!value || (Array.isArray(value) && value.length === 0)) return false;
    this.report('failed', `The answer counts as a failure, because this yields ${quote(value)}.`);
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
    else if (records.length === 0) this.report(path, `It yields ${quote(other)}: records must be objects.`);
    else if (records.length < entries.length)
      this.report(
        path,
        `It yields ${quote(other)} among the records: it is left out, because it is no object.`,
      );
  }

  #readNext(input: object, count: number): void {
    const { pagination, total: expression } = this.#entity;
    const path = `${this.#at}.pagination`;
    const total =
      expression === undefined ? undefined : this.#rows.value(`${this.#at}.total`, expression, { ...input });
    if (total !== undefined && total !== null && !(isInteger(total) && total >= 0))
      this.report(`${this.#at}.total`, `It yields ${quote(total)}, which is no number of records.`);
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
    for (const [name, value] of [...query]) if (this.#hider.isIn(value)) query.delete(name);
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
    const hide = (text: string) => this.#hider.hide(text);
    this.page.columns = columns
      .columns(records)
      .map((column) => ({ ...column, values: column.values.map(hide) }));
    this.page.suggestions = suggestColumns(records, {
      read: Object.values(declared).map(({ value }) => value),
      taken: Object.keys(declared),
      decode: request.decode,
    })
      .filter(({ value }) => !this.#hider.isIn(value) && value !== key)
      .map((suggestion) => ({ ...suggestion, example: hide(suggestion.example) }));
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
