import type {
  ListedView,
  QueryAnswer,
  Results,
  SearchResults,
  Template,
  UserEntity,
} from '@datadeck/contract';
import { type Command, InvalidArgumentError } from 'commander';
import { StartError } from '../../platform/start-error.ts';
import { terminalText } from '../terminal-text.ts';
import { type RemoteOptions, readServer, withQuery, withServer } from './api.ts';
import { PRINT_OPTIONS, type PrintOptions, printResults } from './print.ts';

type ReadOptions = RemoteOptions & PrintOptions & { page: string };

/** Values of `--set name=value` options. */
export type SetValues = Readonly<Record<string, string>>;

/** Adds a `name=value` option to those before it. */
export function addPair(text: string, known: SetValues = {}): SetValues {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('Expected name=value.');
  return { ...known, [text.slice(0, at)]: text.slice(at + 1) };
}

/** Returns the text of a page number. @throws InvalidArgumentError */
function pageOf(text: string): string {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError('Expected a number from 1.');
  return text;
}

/** Returns the values of parameters: JSON such as `7` or `true` as what it is, all else as text. */
export function parametersOf(set: SetValues): Record<string, unknown> {
  const jsonOrText = (text: string): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  };
  return Object.fromEntries(Object.entries(set).map(([name, text]) => [name, jsonOrText(text)]));
}

/** Adds the options of a command that prints a page of results. */
function withPage(command: Command): Command {
  for (const option of PRINT_OPTIONS) command.addOption(option);
  return withServer(command).option('--page <number>', 'page of 20 results', pageOf, '1');
}

async function search(words: string[], options: ReadOptions & { newest?: boolean }): Promise<void> {
  // A word such as -draft leaves records out; an option has two dashes.
  const option = words.find((word) => word.startsWith('--'));
  if (option !== undefined) throw new StartError(`There is no option ${terminalText(option)}.`);
  const found = await readServer<SearchResults>(
    options,
    withQuery('/api/v1/data/search', {
      q: words.join(' '),
      page: options.page,
      ...(options.newest && { order: 'newest' }),
    }),
  );
  if (found.correctedText !== null)
    console.error(`Nothing was found. These results are for: ${terminalText(found.correctedText)}`);
  const textOf = (pieces: readonly { text: string }[]) => pieces.map(({ text }) => text).join('');
  const results = found.results.map(({ occurredAt, person, title, excerpt, ...rest }) => ({
    occurredAt,
    person,
    title: textOf(title),
    excerpt: textOf(excerpt),
    ...rest,
  }));
  printResults({ results, count: found.count }, options);
}

/** Lists the templates of an entity. @throws StartError for an unknown entity */
async function templatesOf(options: RemoteOptions, entity: string): Promise<Template[]> {
  const { providerId } = await findEntity(options, entity);
  const path = `/api/v1/integrations/entities/templates/${encodeURIComponent(providerId)}/${encodeURIComponent(entity)}`;
  return readServer<Template[]>(options, path);
}

/** Reads a page of a template, or of an expression over all of its rows. */
async function readRows(
  [entity, template, expression]: [entity: string, template: string, expression: string | undefined],
  options: ReadOptions & { search?: string },
): Promise<Results> {
  const { page, search } = options;
  if (expression === undefined) {
    const path = `/api/v1/integrations/entities/aggregation/${encodeURIComponent(entity)}/${encodeURIComponent(template)}`;
    return readServer<Results>(options, withQuery(path, { page, search }));
  }
  const body = {
    entryCollection: entity,
    templateKey: template,
    jsonNataQuery: expression,
    page: Number(page),
    search,
  };
  return readServer<QueryAnswer>(options, '/api/v1/data/query', { method: 'POST', body });
}

async function query(
  entity: string,
  template: string | undefined,
  expression: string | undefined,
  options: ReadOptions & { search?: string },
): Promise<void> {
  if (template === undefined) {
    const templates = await templatesOf(options, entity);
    const results = templates.map(({ templateKey, title, description }) => ({
      templateKey,
      title,
      description,
    }));
    printResults({ results, count: results.length }, options);
    return;
  }
  try {
    const { results, count } = await readRows([entity, template, expression], options);
    const preferred = await columnsFor(options, entity, template);
    printResults({ results, count, preferred }, options);
  } catch (error) {
    const keys = (await templatesOf(options, entity)).map(({ templateKey }) => templateKey);
    if (keys.includes(template)) throw error;
    throw new StartError(
      `There is no template ${terminalText(template)} of ${terminalText(entity)}. It has ${keys.join(', ')}.`,
    );
  }
}

/** Returns the fields that come first in a table of whole records; none for JSON. @param template by default that of records */
async function columnsFor(
  { json, ndjson, ...server }: RemoteOptions & PrintOptions,
  entity: string,
  template?: string,
): Promise<readonly string[]> {
  if (json || ndjson) return [];
  const templates = await templatesOf(server, entity);
  const shown = templates.find(({ templateKey, isOfRecords }) =>
    template === undefined ? isOfRecords : templateKey === template,
  );
  return shown?.columns ?? [];
}

const listViews = (options: RemoteOptions) => readServer<ListedView[]>(options, '/api/v1/data/views');

/** A view that a command names. Its entity is known if the views were listed. */
type NamedView = Pick<ListedView, '_id'> & Partial<Pick<ListedView, 'entityLabel'>>;

/** Finds a view by its id or its title. @throws StartError when none or several have it */
export async function findView(options: RemoteOptions, idOrTitle: string): Promise<NamedView> {
  // A token for one view may not list views, so an id is taken as it is.
  if (/^[\da-f-]{36}$/i.test(idOrTitle)) return { _id: idOrTitle };
  const views = await listViews(options);
  const found = views.filter(({ title }) => title === idOrTitle);
  if (found.length === 1 && found[0]) return found[0];
  const count = found.length === 0 ? 'No view has' : `${found.length} views have`;
  throw new StartError(`${count} this title. 'datadeck view' lists the views with their ids.`);
}

/** Returns the fields that come first in a table of a view's records; none if the token may not list views or entities. */
async function columnsOfView(
  options: RemoteOptions & PrintOptions,
  { _id: id, entityLabel }: NamedView,
): Promise<readonly string[]> {
  if (options.json || options.ndjson) return [];
  try {
    const entity = entityLabel ?? (await listViews(options)).find(({ _id }) => _id === id)?.entityLabel;
    return entity === undefined ? [] : await columnsFor(options, entity);
  } catch {
    return [];
  }
}

type ViewOptions = ReadOptions & { expression?: string; set?: SetValues };

/** Reads a page of a view, or of an expression over all of its rows. */
function readView(id: string, options: ViewOptions): Promise<Results> {
  const { expression, set, page } = options;
  const parameters = set && parametersOf(set);
  if (expression === undefined) {
    const query = { page, parameters: parameters && JSON.stringify(parameters) };
    return readServer<Results>(options, withQuery(`/api/v1/data/views/aggregate/${id}`, query));
  }
  const body = { jsonNataQuery: expression, page: Number(page), ...(parameters && { parameters }) };
  return readServer<Results>(options, `/api/v1/data/views/query/${id}`, { method: 'POST', body });
}

async function view(name: string | undefined, options: ViewOptions): Promise<void> {
  if (name === undefined) {
    const views = await listViews(options);
    const results = views.map(({ _id, title, entityLabel }) => ({ _id, entityLabel, title }));
    printResults({ results, count: results.length }, options);
    return;
  }
  const found = await findView(options, name);
  const shown = await readView(found._id, options);
  printResults({ ...shown, preferred: await columnsOfView(options, found) }, options);
}

/** Finds an entity. @throws StartError for an unknown one */
export async function findEntity(options: RemoteOptions, id: string): Promise<UserEntity> {
  const entities = await readServer<UserEntity[]>(options, '/api/v1/integrations/entities');
  const found = entities.find((entity) => entity.id === id);
  if (found) return found;
  throw new StartError(`There is no entity ${terminalText(id)}. 'datadeck entities' lists them.`);
}

async function entities(options: RemoteOptions & PrintOptions): Promise<void> {
  const found = await readServer<UserEntity[]>(options, '/api/v1/integrations/entities');
  const results = found.map(({ id, providerId, title, settings }) => ({
    id,
    providerId,
    title,
    settings: settings.map(({ propKey }) => propKey).join(', '),
  }));
  printResults({ results, count: results.length }, options);
}

/** Adds the commands that search and read the records of a server. */
export function addReadingCommands(program: Command): void {
  withPage(program.command('search'))
    .description('search all records by words and operators')
    .argument('<words...>', 'for example: from:amy invoice -draft after:2026')
    .allowUnknownOption()
    .option('--newest', 'newest first')
    .action(search);
  withPage(program.command('query'))
    .description(
      'list the templates of an entity, print rows of one, or evaluate an expression over all of them',
    )
    .argument('<entity>', 'for example gh-pulls')
    .argument('[template]', 'for example pulls-all')
    .argument('[expression]', 'JSONata; $ is the array of all rows')
    .option('--search <text>', 'only the records that this search finds')
    .action(query);
  withPage(program.command('view'))
    .description('list the views, or print rows of one')
    .argument('[view]', 'id or title')
    .option('--expression <expression>', 'JSONata over all rows of the view')
    .option('--set <name=value>', 'value of a parameter; repeat for more', addPair)
    .action(view);
  const listing = withServer(program.command('entities'));
  for (const option of PRINT_OPTIONS) listing.addOption(option);
  listing.description('list what can be synchronized and read').action(entities);
}
