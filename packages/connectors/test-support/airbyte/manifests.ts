import type { DocumentEntity } from '@datadeck/contract/connector-document';
import { type ImportedManifest, importManifest } from '../../src/declarative/airbyte/import-manifest.ts';

/** A component of a manifest. */
type Part = Record<string, unknown>;

/** Returns a declarative stream of a manifest, with the given parts in place of its own. */
export function stream(
  name: string,
  parts: { stream?: Part; retriever?: Part; requester?: Part } = {},
): Part {
  return {
    type: 'DeclarativeStream',
    name,
    primary_key: 'id',
    retriever: {
      type: 'SimpleRetriever',
      requester: {
        type: 'HttpRequester',
        url_base: 'https://api.books.test/v1',
        path: `/${name}`,
        http_method: 'GET',
        authenticator: { type: 'BearerAuthenticator', api_token: "{{ config['token'] }}" },
        ...parts.requester,
      },
      record_selector: {
        type: 'RecordSelector',
        extractor: { type: 'DpathExtractor', field_path: ['data'] },
      },
      ...parts.retriever,
    },
    schema_loader: {
      type: 'InlineSchemaLoader',
      schema: {
        type: 'object',
        properties: {
          id: { type: 'string' },
          title: { type: 'string' },
          updated_at: { type: 'string', format: 'date-time' },
        },
      },
    },
    ...parts.stream,
  };
}

const PROPERTIES: Part = {
  token: { type: 'string', title: 'Token', airbyte_secret: true },
  password: { type: 'string', airbyte_secret: true },
  user: { type: 'string', title: 'User' },
  start_date: { type: 'string' },
  shelves: { type: 'array', items: { type: 'string' } },
};

/** Returns the text of a manifest of streams. JSON is YAML. */
export function manifest(streams: readonly unknown[], parts: Part = {}): string {
  const spec = { type: 'Spec', connection_specification: { type: 'object', properties: PROPERTIES } };
  return JSON.stringify({ version: '6.0.0', type: 'DeclarativeSource', streams, spec, ...parts }, null, 1);
}

/** Imports a manifest of streams. */
export function imported(streams: readonly unknown[], parts: Part = {}): ImportedManifest {
  return importManifest(manifest(streams, parts), { key: 'books', title: 'Books' });
}

type StreamParts = Parameters<typeof stream>[1];

/** Returns the entity of a manifest with one stream. @throws with the reason, if the stream is left out */
export function entityOf(parts: StreamParts): DocumentEntity {
  const { document, streams } = imported([stream('books', parts)]);
  const [entity] = document?.entities ?? [];
  if (!entity) throw new Error(streams[0]?.reason);
  return entity;
}

/** Returns why the stream of a manifest is left out; undefined if it is imported. */
export function reasonOf(parts: StreamParts): string | undefined {
  return imported([stream('books', parts)]).streams[0]?.reason;
}
