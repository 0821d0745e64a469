import { isDeepStrictEqual } from 'node:util';
import {
  type ConnectorDocument,
  connectorDocumentSchema,
  DOCUMENT_LIMITS,
} from '@datadeck/contract/connector-document';
import { documentProblems } from '../document-problems.ts';
import { type AddressValue, AddressValues } from './address-values.ts';
import { type Component, componentOf, componentsOf, joinWords, textOf } from './component.ts';
import { ConfigFields, documentField } from './config-fields.ts';
import { withFieldNames } from './config-text.ts';
import { importAccess, withSecretsOf } from './import-access.ts';
import { addressOf, baseUrlOf, originOf } from './import-address.ts';
import type { ImportedFailure } from './import-failures.ts';
import { type ImportedStream, importStream, type StreamContext } from './import-stream.ts';
import type { ImportedAccess } from './imported-access.ts';
import { attempt, UntranslatableError } from './jinja/untranslatable-error.ts';
import { readManifest } from './read-manifest.ts';
import { isSet } from './refused-members.ts';

/** What became of a stream of a manifest. */
export interface StreamOutcome {
  name: string;
  /** Line of the manifest. */
  line: number;
  /** Id of its entity; absent if it was left out. */
  entity?: string;
  /** Why it was left out. */
  reason?: string;
  /** Ids of the entities that it takes, its own and those of its parents; absent if it cannot be translated. */
  needs?: readonly string[];
}

/** Why a stream is left out that could be translated. */
export const LEFT_OUT = { unchosen: 'not chosen', noRoom: 'no room', noRules: 'no room for rules' } as const;

/** A document made of a manifest; absent if no stream could be translated. */
export interface ImportedManifest {
  document?: ConnectorDocument;
  streams: StreamOutcome[];
  /** The fields of the connect form, and where the manifest has their values in its configuration. */
  form: { name: string; path: readonly string[] }[];
  /** The values on which addresses depend; the document has those that were given, otherwise those of the specification. */
  addresses: AddressValue[];
  /** What people should know of the import, as sentences. */
  remarks: string[];
}

/** The parts of an import that depend on its entities. */
type ImportedEntities = Omit<ImportedManifest, 'addresses' | 'remarks'> & { remarks?: string[] };

/** Name of the secret among the fields of the form. */
const SECRET = 'secret';

const requesterOf = (stream: Component) => componentOf(componentOf(stream, 'retriever'), 'requester');

/** Returns the most frequent of some texts; the first one of several. */
function mostFrequent(texts: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].reduce<[string, number] | undefined>(
    (best, one) => (best && best[1] >= one[1] ? best : one),
    undefined,
  )?.[0];
}

/** Returns the authentication of a document, whose fields become those of the form. @throws UntranslatableError */
function authenticationOf(
  { authentication, secret, fields = {}, others, keys }: ImportedAccess,
  config: ConfigFields,
): object {
  const named = Object.entries(fields).map(([member, field]): [string, string] => [
    member,
    'path' in field
      ? config.accessField(field.path, member === 'clientSecret').name
      : config.fixedField(field.name, field.initial).name,
  ]);
  const further = others?.map(({ path, ...key }) => ({ ...key, field: config.accessField(path, true).name }));
  const beside = keys?.map(({ path, ...key }) => ({
    ...key,
    field: isDeepStrictEqual(path, secret) ? SECRET : config.accessField(path, true).name,
  }));
  const written = withFieldNames(authentication, (path) =>
    isDeepStrictEqual(path, secret) ? SECRET : config.accessField(path).name,
  );
  return {
    ...written,
    ...Object.fromEntries(named),
    ...(further && { others: further }),
    ...(beside && { keys: beside }),
  };
}

/** What the entities of a document have in common. */
interface DocumentParts {
  baseUrl: string;
  authentication: object;
  access: ImportedAccess;
  config: ConfigFields;
}

/** Whether two streams are the same entity but for their ids. */
function isSameBut(
  id: string,
  one: ImportedStream | undefined,
  other: string,
  stream: ImportedStream,
): boolean {
  const without = (own: string, value: unknown) =>
    JSON.stringify(value).replaceAll(JSON.stringify(own), '""');
  return one !== undefined && without(id, one) === without(other, stream);
}

/** What the entities of a document are translated with; `access` is that of all, as JSON. */
type EntityContext = Omit<StreamContext, 'id' | 'parent'> & { access: string };

/** A stream that became an entity. Streams with the same name may differ, by parameters that their owners hand down. */
interface KnownStream {
  component: Component;
  name: string;
  id: string;
}

class ManifestImporter {
  readonly #root: Component;
  readonly #key: string;
  readonly #title: string;
  readonly #lines: WeakMap<object, number>;
  readonly #chosen: ReadonlySet<string> | undefined;
  readonly #addresses: AddressValues;
  readonly #known: KnownStream[] = [];

  constructor(text: string, { key, title, streams, values = {} }: ImportOptions) {
    const { root, lines } = readManifest(text);
    this.#root = root;
    this.#lines = lines;
    this.#key = key;
    this.#title = title;
    this.#chosen = streams && new Set(streams);
    this.#addresses = new AddressValues(componentOf(root, 'spec'), values);
  }

  import(): ImportedManifest {
    const streams = componentsOf(this.#root, 'streams');
    this.#addresses.fillIn(streams);
    const dynamic = componentsOf(this.#root, 'dynamic_streams').map((stream, index) => ({
      name: textOf(stream, 'name') || `dynamic stream ${index + 1}`,
      line: this.#lines.get(stream) ?? 1,
      reason: 'streams that are made while reading',
    }));
    const imported = this.#import(streams);
    const { used: addresses } = this.#addresses;
    const { remarks = [] } = imported;
    return { ...imported, streams: [...imported.streams, ...dynamic], addresses, remarks };
  }

  #import(streams: readonly Component[]): ImportedEntities {
    const accesses = streams.map((stream) => attempt(() => this.#accessOf(stream)));
    const origins = streams.map((stream) => attempt(() => this.#originOf(stream)));
    const access = mostFrequent(
      accesses.flatMap((one) => ('value' in one ? [JSON.stringify(one.value)] : [])),
    );
    const origin = mostFrequent(origins.flatMap((one) => ('value' in one ? [one.value] : [])));
    const reasons = streams.map((_, index) => {
      const found = [accesses[index], origins[index]].find((one) => one && 'reason' in one);
      return found && 'reason' in found ? found.reason : undefined;
    });
    const outcomes = (reasonOf: (index: number) => string): StreamOutcome[] =>
      streams.map((stream, index) => ({ ...this.#named(stream), reason: reasonOf(index) }));
    if (access === undefined || origin === undefined)
      return { form: [], streams: outcomes((index) => reasons[index] ?? 'no requests') };
    const rules = componentOf(componentOf(this.#root, 'spec'), 'config_normalization_rules');
    if (isSet(rules)) return { form: [], streams: outcomes(() => 'rules that change what people enter') };
    const chosen: ImportedAccess = JSON.parse(access);
    const config = this.#configWith(chosen.secret);
    const base = attempt(() => {
      const baseUrl = baseUrlOf(origin, (value) => config.field([value]).name);
      return { baseUrl, authentication: authenticationOf(chosen, config) };
    });
    if ('reason' in base) return { form: [], streams: outcomes(() => base.reason) };
    const entities = new Map<string, ImportedStream>();
    const results = streams.map((stream, index): StreamOutcome => {
      const one = accesses[index];
      const reason = reasons[index];
      if (reason !== undefined) return { ...this.#named(stream), reason };
      if (one && 'value' in one && JSON.stringify(one.value) !== access)
        return { ...this.#named(stream), reason: 'another sign-in than the other streams' };
      const restore = config.restorer();
      const found = attempt(() =>
        this.#add(stream, { config, origin, movedSecrets: chosen.movedSecrets, access }, entities),
      );
      if ('reason' in found) restore();
      return 'reason' in found
        ? { ...this.#named(stream), reason: found.reason }
        : { ...this.#named(stream), entity: found.value };
    });
    return this.#checked(results, entities, { ...base.value, access: chosen, config });
  }

  #configWith(secret: readonly string[] | undefined): ConfigFields {
    return new ConfigFields(componentOf(this.#root, 'spec'), JSON.stringify(secret ?? null), this.#addresses);
  }

  #originOf(stream: Component): string {
    const requester = requesterOf(stream) ?? {};
    const reason = this.#addresses.reasonOf(requester);
    if (reason !== undefined) throw new UntranslatableError(reason);
    return originOf(addressOf(requester));
  }

  #accessOf(stream: Component): ImportedAccess {
    const type = componentOf(stream, 'retriever')?.type;
    if (type !== 'SimpleRetriever') throw new UntranslatableError(`the retriever ${String(type)}`);
    const requester = requesterOf(stream) ?? {};
    const spec = this.#configWith(undefined);
    const authenticator = componentOf(requester, 'authenticator');
    for (const part of [authenticator, componentOf(authenticator, 'login_requester')]) {
      const reason = part && this.#addresses.reasonOf(part);
      if (reason !== undefined) throw new UntranslatableError(reason);
    }
    return withSecretsOf(requester, importAccess(authenticator, spec), spec);
  }

  #named(stream: Component): Pick<StreamOutcome, 'name' | 'line'> {
    return { name: textOf(stream, 'name'), line: this.#lines.get(stream) ?? 1 };
  }

  /** Returns an id that is free for the entity of a stream: `hubspot-deals`. */
  #freeId(stream: string, taken: ReadonlyMap<string, unknown>): string {
    const slug = joinWords(stream.toLowerCase(), '-') || 'records';
    const base = joinWords(`${this.#key}-${slug}`.slice(0, 29), '-');
    let id = base;
    for (let count = 2; taken.has(id); count++) id = `${base.slice(0, 28)}${count}`;
    return id;
  }

  /** Translates a stream and its parents. @returns the id of its entity */
  #add(stream: Component, context: EntityContext, entities: Map<string, ImportedStream>, depth = 0): string {
    const name = textOf(stream, 'name');
    const namesakes = this.#known.filter((one) => one.name === name);
    const known = namesakes.find(({ component }) => isDeepStrictEqual(component, stream));
    if (known) return known.id;
    if (depth > 0 && JSON.stringify(this.#accessOf(stream)) !== context.access)
      throw new UntranslatableError('another sign-in than the other streams');
    if (depth > 2) throw new UntranslatableError('more than two levels of parents');
    const routers = componentsOf(componentOf(stream, 'retriever'), 'partition_router');
    const parents = routers.flatMap((router) => componentsOf(router, 'parent_stream_configs'));
    const [parent] = parents.map((one) => {
      const owner = componentOf(one, 'stream');
      return owner && this.#add(owner, context, entities, depth + 1);
    });
    const free = this.#freeId(name, entities);
    const imported = importStream(stream, { ...context, id: free, parent });
    const equal = namesakes.find(({ id }) => isSameBut(id, entities.get(id), free, imported));
    const id = equal?.id ?? free;
    this.#known.push({ component: stream, name, id });
    if (equal !== undefined) return id;
    const count = new Set(namesakes.map((one) => one.id)).size;
    if (count > 0) imported.entity.title = `${String(imported.entity.title).slice(0, 70)} ${count + 1}`;
    entities.set(id, imported);
    return id;
  }

  /** Checks each entity with its parents alone, so that one with a problem is left out. */
  #checked(
    results: StreamOutcome[],
    entities: ReadonlyMap<string, ImportedStream>,
    parts: DocumentParts,
  ): ImportedEntities {
    const kept = new Set<string>();
    const streams = results.map((result) => {
      if (result.entity === undefined) return result;
      const ids = [result.entity];
      for (
        let parent = entities.get(result.entity)?.entity.parent;
        typeof parent === 'string';
        parent = entities.get(parent)?.entity.parent
      )
        ids.push(parent);
      const problem = problemOf(
        this.#document(
          parts,
          ids.flatMap((id) => entities.get(id) ?? []),
        ),
      );
      const { entity: _, ...named } = result;
      if (problem !== undefined) return { ...named, reason: problem };
      if (this.#chosen && !this.#chosen.has(result.name))
        return { ...named, needs: ids, reason: LEFT_OUT.unchosen };
      const all = [...new Set([...kept, ...ids])].flatMap((id) => entities.get(id) ?? []);
      if (all.length > DOCUMENT_LIMITS.entities) return { ...named, needs: ids, reason: LEFT_OUT.noRoom };
      if (failuresOf(all).length > DOCUMENT_LIMITS.rules)
        return { ...named, needs: ids, reason: LEFT_OUT.noRules };
      for (const id of ids) kept.add(id);
      return { ...result, needs: ids };
    });
    const form = parts.config.fields.map(({ name, path }) => ({ name, path }));
    const { secret } = parts.access;
    if (secret) form.push({ name: SECRET, path: secret });
    if (kept.size === 0) return { streams, form };
    // A parent comes along with its children.
    for (const stream of streams) {
      const [own] = stream.needs ?? [];
      if (own === undefined || !kept.has(own)) continue;
      stream.entity = own;
      delete stream.reason;
    }
    const document = this.#document(
      parts,
      [...entities].filter(([id]) => kept.has(id)).map(([, stream]) => stream),
    );
    const parsed = connectorDocumentSchema.safeParse(document);
    if (!parsed.success) return { streams, form };
    const names = new Set(parsed.data.connect.fields.map(({ name }) => name));
    const remarks = parts.config.plainIdentifiers
      .filter(({ name }) => names.has(name))
      .map(
        ({ path }) =>
          `${path.join('.')} is secret in the manifest. Requests have it in other places than a sign-in, so it is a plain field.`,
      );
    return { document: parsed.data, streams, form, remarks };
  }

  #document(
    { baseUrl, authentication, access: { secret }, config }: DocumentParts,
    streams: readonly ImportedStream[],
  ): object {
    const required = componentOf(componentOf(this.#root, 'spec'), 'connection_specification')?.required;
    const isRequired = (path: readonly string[]) => Array.isArray(required) && required.includes(path[0]);
    const property = secret && config.property(secret);
    const text = JSON.stringify([baseUrl, streams.map(({ entity }) => entity)]);
    const read = new Set(text.match(/\bconfig\.[A-Za-z0-9]+/g));
    const sent = JSON.stringify(authentication);
    const isNamed = (name: string) => sent.includes(JSON.stringify(name)) || sent.includes(`{${name}}`);
    const isRead = (name: string) => read.has(`config.${name}`);
    return {
      version: 1,
      key: this.#key,
      title: this.#title,
      description: `Imported from a manifest of Airbyte.`,
      baseUrl,
      authentication,
      connect: {
        fields: config.fields
          .filter(({ name }) => isNamed(name) || isRead(name))
          .map((field) => documentField(field, isRequired(field.path) || isNamed(field.name))),
        ...(secret && {
          secret: { name: SECRET, label: (property && textOf(property, 'title').slice(0, 80)) || 'Secret' },
        }),
      },
      quota: { perMinute: 60 },
      failures: failuresOf(streams),
      entities: streams.map(({ entity }) => entity),
    };
  }
}

/** Returns the rules of streams. Those of streams with the same ones are written once, because their order counts. */
function failuresOf(streams: readonly ImportedStream[]): object[] {
  const groups = new Map<string, { rules: readonly ImportedFailure[]; entities: string[] }>();
  for (const { entity, failures } of streams) {
    const key = JSON.stringify(failures);
    const group = groups.get(key) ?? { rules: failures, entities: [] };
    group.entities.push(String(entity.id));
    groups.set(key, group);
  }
  return [...groups.values()].flatMap(({ rules, entities }) => rules.map((rule) => ({ ...rule, entities })));
}

function problemOf(document: object): string | undefined {
  const parsed = connectorDocumentSchema.safeParse(document);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return `${issue?.path.slice(issue.path[0] === 'entities' ? 2 : 0).join('.')}: ${issue?.message}`;
  }
  const [problem] = documentProblems(parsed.data);
  return problem && `${problem.path.replace(/^entities\.\d+\./, '')}: ${problem.message}`;
}

interface ImportOptions {
  key: string;
  title: string;
  /** Names of the streams to import; their parents come along. Without it those that fit, in the order of the manifest. */
  streams?: readonly string[] | undefined;
  /** Values on which addresses depend, by their places in the configuration: `{ 'credentials.region': 'eu' }`. */
  values?: Readonly<Record<string, string>> | undefined;
}

/** Makes a document of a manifest. @throws ManifestError for a text that is no manifest */
export function importManifest(text: string, options: ImportOptions): ImportedManifest {
  return new ManifestImporter(text, options).import();
}
