import { isDeepStrictEqual } from 'node:util';
import {
  type ConnectorDocument,
  connectorDocumentSchema,
  DOCUMENT_LIMITS,
} from '@datadeck/contract/connector-document';
import { documentProblems } from '../document-problems.ts';
import { type Component, componentOf, componentsOf, joinWords, textOf } from './component.ts';
import { ConfigFields, documentField } from './config-fields.ts';
import { type ImportedAccess, importAccess, withSecretsOf } from './import-access.ts';
import type { ImportedFailure } from './import-failures.ts';
import { addressOf, type ImportedStream, importStream, originOf } from './import-stream.ts';
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
}

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

/** Returns the origin with the hole of a document: `https://{config.site}.example.com`. @throws UntranslatableError */
function baseUrlOf(origin: string, config: ConfigFields): string {
  const hole =
    /^https:\/\/([a-z0-9-]*)\{\{\s*config(?:\.(\w+)|\[\s*["'](\w+)["']\s*\])\s*\}\}([a-z0-9-]*\.[a-z0-9.-]+\.[a-z]+)$/.exec(
      origin,
    );
  if (hole) return `https://${hole[1]}{config.${config.field([hole[2] ?? hole[3] ?? '']).name}}${hole[4]}`;
  if (/^https:\/\/[a-z0-9.-]+(?::\d+)?$/.test(origin)) return origin;
  throw new UntranslatableError('a host that each person enters');
}

/** Returns the authentication of a document, whose fields become those of the form. @throws UntranslatableError */
function authenticationOf(
  { authentication, fields = {}, others }: ImportedAccess,
  config: ConfigFields,
): object {
  const named = Object.entries(fields).map(([member, field]): [string, string] => [
    member,
    'path' in field
      ? config.accessField(field.path, member === 'clientSecret').name
      : config.fixedField(field.name, field.initial).name,
  ]);
  const further = others?.map(({ path, ...key }) => ({ ...key, field: config.accessField(path, true).name }));
  return { ...authentication, ...Object.fromEntries(named), ...(further && { others: further }) };
}

/** What the entities of a document have in common. */
interface DocumentParts {
  baseUrl: string;
  authentication: object;
  access: ImportedAccess;
  config: ConfigFields;
}

class ManifestImporter {
  readonly #root: Component;
  readonly #key: string;
  readonly #title: string;
  readonly #lines: WeakMap<object, number>;
  readonly #chosen: ReadonlySet<string> | undefined;
  readonly #ids = new Map<string, string>();
  /** The streams of entities, by their ids. */
  readonly #components = new Map<string, Component>();

  constructor(text: string, { key, title, streams }: ImportOptions) {
    const { root, lines } = readManifest(text);
    this.#root = root;
    this.#lines = lines;
    this.#key = key;
    this.#title = title;
    this.#chosen = streams && new Set(streams);
  }

  import(): ImportedManifest {
    const streams = componentsOf(this.#root, 'streams');
    const dynamic = componentsOf(this.#root, 'dynamic_streams').map((stream, index) => ({
      name: textOf(stream, 'name') || `dynamic stream ${index + 1}`,
      line: this.#lines.get(stream) ?? 1,
      reason: 'streams that are made while reading',
    }));
    const imported = this.#import(streams);
    return { ...imported, streams: [...imported.streams, ...dynamic] };
  }

  #import(streams: readonly Component[]): ImportedManifest {
    const accesses = streams.map((stream) => attempt(() => this.#accessOf(stream)));
    const origins = streams.map((stream) => attempt(() => originOf(addressOf(requesterOf(stream) ?? {}))));
    const access = mostFrequent(
      accesses.flatMap((one) => ('value' in one ? [JSON.stringify(one.value)] : [])),
    );
    const origin = mostFrequent(origins.flatMap((one) => ('value' in one ? [one.value] : [])));
    const outcomes = (reasonOf: (index: number) => string): StreamOutcome[] =>
      streams.map((stream, index) => ({ ...this.#named(stream), reason: reasonOf(index) }));
    if (access === undefined || origin === undefined)
      return {
        form: [],
        streams: outcomes((index) => {
          const found = [accesses[index], origins[index]].find((one) => one && 'reason' in one);
          return found && 'reason' in found ? found.reason : 'no requests';
        }),
      };
    const rules = componentOf(componentOf(this.#root, 'spec'), 'config_normalization_rules');
    if (isSet(rules)) return { form: [], streams: outcomes(() => 'rules that change what people enter') };
    const chosen: ImportedAccess = JSON.parse(access);
    const config = new ConfigFields(componentOf(this.#root, 'spec'), JSON.stringify(chosen.secret ?? null));
    const base = attempt(() => {
      return { baseUrl: baseUrlOf(origin, config), authentication: authenticationOf(chosen, config) };
    });
    if ('reason' in base) return { form: [], streams: outcomes(() => base.reason) };
    const entities = new Map<string, ImportedStream>();
    const results = streams.map((stream, index): StreamOutcome => {
      const one = accesses[index];
      if (one && 'reason' in one) return { ...this.#named(stream), reason: one.reason };
      if (one && JSON.stringify(one.value) !== access)
        return { ...this.#named(stream), reason: 'another sign-in than the other streams' };
      const restore = config.restorer();
      const found = attempt(() => this.#add(stream, { config, origin, sentBy: chosen.sentBy }, entities));
      if ('reason' in found) restore();
      return 'reason' in found
        ? { ...this.#named(stream), reason: found.reason }
        : { ...this.#named(stream), entity: found.value };
    });
    return this.#checked(results, entities, { ...base.value, access: chosen, config });
  }

  #accessOf(stream: Component): ImportedAccess {
    const type = componentOf(stream, 'retriever')?.type;
    if (type !== 'SimpleRetriever') throw new UntranslatableError(`the retriever ${String(type)}`);
    const requester = requesterOf(stream) ?? {};
    const access = importAccess(componentOf(requester, 'authenticator'));
    const fields = new ConfigFields(componentOf(this.#root, 'spec'), 'null');
    return withSecretsOf(requester, access, (path) => fields.isSecret(path));
  }

  #named(stream: Component): Pick<StreamOutcome, 'name' | 'line'> {
    return { name: textOf(stream, 'name'), line: this.#lines.get(stream) ?? 1 };
  }

  /** Returns the id of a stream's entity: `hubspot-deals`. */
  #idOf(stream: string): string {
    const known = this.#ids.get(stream);
    if (known !== undefined) return known;
    const slug = joinWords(stream.toLowerCase(), '-') || 'records';
    const base = joinWords(`${this.#key}-${slug}`.slice(0, 29), '-');
    const taken = new Set(this.#ids.values());
    let id = base;
    for (let count = 2; taken.has(id); count++) id = `${base.slice(0, 28)}${count}`;
    this.#ids.set(stream, id);
    return id;
  }

  /** Translates a stream and its parents. @returns the id of its entity */
  #add(
    stream: Component,
    context: { config: ConfigFields; origin: string; sentBy: readonly string[] | undefined },
    entities: Map<string, ImportedStream>,
    depth = 0,
  ): string {
    const id = this.#idOf(textOf(stream, 'name'));
    const known = this.#components.get(id);
    if (known && !isDeepStrictEqual(known, stream))
      throw new UntranslatableError(`another stream that is named ${textOf(stream, 'name')}`);
    if (entities.has(id)) return id;
    this.#components.set(id, stream);
    if (depth > 2) throw new UntranslatableError('more than two levels of parents');
    const router = componentOf(componentOf(stream, 'retriever'), 'partition_router');
    for (const parent of componentsOf(router, 'parent_stream_configs')) {
      const owner = componentOf(parent, 'stream');
      if (owner) this.#add(owner, context, entities, depth + 1);
    }
    entities.set(id, importStream(stream, { ...context, idOf: (name) => this.#idOf(name) }));
    return id;
  }

  /** Checks each entity with its parents alone, so that one with a problem is left out. */
  #checked(
    results: StreamOutcome[],
    entities: ReadonlyMap<string, ImportedStream>,
    parts: DocumentParts,
  ): ImportedManifest {
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
    return parsed.success ? { document: parsed.data, streams, form } : { streams, form };
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
    const isNamed = (name: string) => JSON.stringify(authentication).includes(JSON.stringify(name));
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
}

/** Makes a document of a manifest. @throws ManifestError for a text that is no manifest */
export function importManifest(text: string, options: ImportOptions): ImportedManifest {
  return new ManifestImporter(text, options).import();
}
