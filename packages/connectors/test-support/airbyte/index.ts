/** A stream of `manifestOf`: lists `/NAME`, as the child of another one if `parent` names it. */
export interface ManifestStreamParts {
  name: string;
  /** Name of a stream whose records have one list each. */
  parent?: string;
  /** A component of Python that extracts the records, which cannot be translated. */
  extractor?: string;
}

function streamText({ name, parent, extractor }: ManifestStreamParts): string {
  const router =
    parent === undefined
      ? ''
      : `
        partition_router:
          type: SubstreamPartitionRouter
          parent_stream_configs:
            - type: ParentStreamConfig
              stream: { $ref: "#/definitions/streams/${parent}" }
              parent_key: id
              partition_field: parent_id`;
  const path = parent === undefined ? `/${name}` : `/${parent}/{{ stream_partition.parent_id }}/${name}`;
  const extracted =
    extractor === undefined
      ? '{ type: DpathExtractor, field_path: [items] }'
      : `{ type: CustomRecordExtractor, class_name: ${extractor} }`;
  return `
    ${name}:
      type: DeclarativeStream
      name: ${name}
      primary_key: [id]
      schema_loader:
        type: InlineSchemaLoader
        schema: { type: object, properties: { id: { type: integer }, title: { type: [string, "null"] } } }
      retriever:
        type: SimpleRetriever
        requester: { $ref: "#/definitions/requester", path: "${path}" }
        record_selector: { type: RecordSelector, extractor: ${extracted} }${router}`;
}

/** Writes a declarative manifest of Airbyte for a service with a bearer token. */
export function manifestOf(streams: readonly ManifestStreamParts[]): string {
  return `version: 6.0.0
type: DeclarativeSource
check: { type: CheckStream, stream_names: [${streams[0]?.name ?? ''}] }
definitions:
  requester:
    type: HttpRequester
    url_base: https://desk.example.com
    http_method: GET
    authenticator: { type: BearerAuthenticator, api_token: "{{ config['token'] }}" }
  streams:${streams.map(streamText).join('')}
streams:
${streams.map(({ name }) => `  - $ref: "#/definitions/streams/${name}"`).join('\n')}
spec:
  type: Spec
  documentation_url: https://docs.airbyte.com/integrations/sources/help-desk
  connection_specification:
    type: object
    required: [token]
    properties:
      token: { type: string, title: API token, airbyte_secret: true }
`;
}

/** Tickets, their comments, and audits, which a component of Python reads. */
export const DESK_MANIFEST = manifestOf([
  { name: 'tickets' },
  { name: 'comments', parent: 'tickets' },
  { name: 'audits', extractor: 'source_desk.components.AuditExtractor' },
]);
