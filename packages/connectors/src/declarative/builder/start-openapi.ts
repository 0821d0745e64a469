import type { DocumentStart, StartedDocument } from '@datadeck/contract';
import { isRecord } from '@datadeck/contract/table-columns';
import { findRecords } from './find-records.ts';
import { guessEntity, type ListSample } from './guess-entity.ts';
import { accessParts, baseUrlOf } from './openapi-access.ts';
import { OpenApiReader } from './openapi-schema.ts';
import { parseText, TextError } from './parse-text.ts';
import { shortKey, startExample, UNKNOWN_BASE } from './start-example.ts';
import { type Draft, startedOf, titleOf, UniqueKeys } from './started.ts';

type OpenApiStart = Extract<DocumentStart, { from: 'openapi' }>;

const MAX_ENTITIES = 20;
/** Paths that are looked at. */
const MAX_PATHS = 2000;
const MAX_SETTINGS = 6;
const PAGING =
  /^(?:page|page_?number|p|offset|skip|start|start_?at|limit|per_?page|page_?size|size|max_?results|cursor|after|page_?token|starting_after|\$skip|\$top|page\[(?:number|size|offset|limit)\])$/i;

interface Operation {
  path: string;
  operation: Draft;
  parameters: Draft[];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}

/** Returns the name of a setting: `project-id` is `projectId`. */
function settingName(text: string, used: Set<string>): string {
  const words = text
    .replace(/[^A-Za-z0-9]+/g, ' ')
    .trim()
    .split(' ');
  const camel = words
    .map(
      (word, index) =>
        (index === 0 ? word.charAt(0).toLowerCase() : word.charAt(0).toUpperCase()) + word.slice(1),
    )
    .join('')
    .replace(/^[^a-z]+/, '')
    .slice(0, 25);
  const base = camel === '' ? 'value' : camel;
  let name = base;
  for (let count = 2; used.has(name); count++) name = `${base}${count}`;
  used.add(name);
  return name;
}

/** Returns what a successful answer of an operation is like; undefined without JSON. */
function responseOf(reader: OpenApiReader, operation: Draft): unknown {
  const responses = reader.object(operation.responses);
  const response = reader.object(
    responses['200'] ?? responses['2XX'] ?? responses['2xx'] ?? responses.default,
  );
  const content = reader.object(response.content);
  const type = Object.keys(content).find((name) => /^application\/(?:[\w.+-]+\+)?json/i.test(name));
  if (type === undefined) return undefined;
  const media = reader.object(content[type]);
  return media.schema === undefined ? media.example : reader.sample(media.schema);
}

function operationsOf(reader: OpenApiReader): Operation[] {
  return Object.entries(reader.object(reader.root.paths))
    .slice(0, MAX_PATHS)
    .flatMap(([path, value]) => {
      const item = reader.object(value);
      if (!path.startsWith('/') || path.length > 500 || !isRecord(item.get)) return [];
      const operation = reader.object(item.get);
      const parameters = [...reader.list(item.parameters), ...reader.list(operation.parameters)]
        .slice(0, 50)
        .map((one) => reader.object(one));
      return [{ path, operation, parameters }];
    });
}

/** Returns the sample of a list; undefined if the operation lists no objects, or needs what a document cannot have. */
function listSample(
  reader: OpenApiReader,
  { path, operation, parameters }: Operation,
): ListSample | undefined {
  const response = responseOf(reader, operation);
  if (response === undefined || findRecords(response).kind !== 'objects') return undefined;
  const used = new Set<string>();
  const settings: Draft[] = [];
  const settingOf = (name: string) => {
    const setting = settingName(name, used);
    settings.push({ name: setting, label: titleOf(name) });
    return `settings.${setting}`;
  };
  const filledPath = path.replace(/\{([^{}]*)\}/g, (_, name: string) => `{${settingOf(name)}}`);
  if (/[{}]/.test(filledPath.replace(/\{settings\.[A-Za-z0-9]+\}/g, ''))) return undefined;
  const query = new Map<string, string>();
  const filled: Record<string, string> = {};
  for (const parameter of parameters) {
    const name = textOf(parameter.name);
    if (parameter.in === 'header' && parameter.required === true) return undefined;
    if (parameter.in !== 'query' || name === '' || name.length > 100) continue;
    const schema = reader.object(parameter.schema);
    const given = schema.default ?? reader.list(schema.enum)[0] ?? parameter.example;
    const most = Number(schema.maximum);
    if (PAGING.test(name))
      query.set(
        name,
        String(Number.isInteger(most) && most > 1 && most <= 500 ? most : (schema.default ?? '')),
      );
    else if (parameter.required === true && given !== undefined && typeof given !== 'object')
      query.set(name, String(given));
    else if (parameter.required === true) filled[name] = settingOf(name);
  }
  if (settings.length > MAX_SETTINGS) return undefined;
  const segments = path.split('/').filter((part) => part !== '' && !part.startsWith('{'));
  const name = segments.at(-1)?.replace(/\.json$/, '') ?? 'items';
  const description = textOf(operation.summary) || textOf(operation.description);
  return { name, description, path: filledPath, query, filled, settings, response };
}

function withoutDescription(key: string, remark: string): StartedDocument {
  const { document } = startExample({
    from: 'example',
    key,
    title: titleOf(key),
    address: `${UNKNOWN_BASE}/items`,
    answer: '[]',
  });
  return { document, remarks: [remark, 'This is a document to complete by hand.'] };
}

/** Writes a document from an OpenAPI description; see `draftDocument`. Runs in the builder's thread. */
export function startOpenApi({ key: given, description }: OpenApiStart): StartedDocument {
  let root: unknown;
  try {
    root = parseText(description);
  } catch (error) {
    if (error instanceof TextError) return withoutDescription(given, error.message);
    throw error;
  }
  if (!isRecord(root) || !/^3\.[01]/.test(String(root.openapi)))
    return withoutDescription(given, 'The text is no description by OpenAPI 3.0 or 3.1.');
  const reader = new OpenApiReader(root);
  const remarks: string[] = [];
  const key = shortKey(given, remarks);
  const operations = operationsOf(reader);
  const samples = operations.flatMap((operation) => {
    const sample = listSample(reader, operation);
    return sample ? [sample] : [];
  });
  if (samples.length === 0)
    return withoutDescription(given, 'No GET of the description lists objects as JSON.');
  // Lists that need no setting are those to begin with.
  const chosen = samples
    .sort((a, b) => (a.settings?.length ?? 0) - (b.settings?.length ?? 0))
    .slice(0, MAX_ENTITIES);
  remarks.push(`${chosen.length} of ${operations.length} requests of the description became lists.`);
  if (samples.length > chosen.length)
    remarks.push(
      `${samples.length - chosen.length} more lists were left out: a document has at most ${MAX_ENTITIES}.`,
    );
  const keys = { ids: new UniqueKeys(), templates: new UniqueKeys() };
  const entities = chosen.map((sample) => guessEntity(key, sample, keys));
  const info = reader.object(root.info);
  const title = textOf(info.title).slice(0, 80).trim() || titleOf(key);
  const draft = {
    version: 1,
    key,
    title,
    description: `Synchronize records of ${title}.`,
    baseUrl: baseUrlOf(reader, remarks),
    ...accessParts(reader, remarks),
    quota: { perMinute: 60 },
    entities: entities.map(({ entity }) => entity),
  };
  return startedOf(draft, [...remarks, ...entities.flatMap((one) => one.remarks)]);
}
