import { z } from 'zod';
import { MAX_CONNECT_VALUE } from './connections.ts';
import { DOCUMENT_LIMITS } from './connector-parts.ts';
import { defineEndpoints, okSchema } from './endpoint.ts';

/** Bounds of the connectors that administrators write. Texts in UTF-16 units. */
export const CONNECTOR_BOUNDS = {
  /** Connectors of an installation, and all their entities, withdrawn ones too: each has a table. */
  connectors: 50,
  tables: 200,
  /** Text of a document, of an example answer, and of an OpenAPI description. */
  document: 200_000,
  example: 1_000_000,
  /** Text of a manifest of Airbyte, the streams of one, the name of a stream, and the place of a value. */
  manifest: 2_000_000,
  manifestStreams: 500,
  streamName: 200,
  place: 200,
  /** Versions of a connector that are kept, without the published one. */
  versions: 50,
  /** Recorded answers of a draft, one of each entity and one about the account, and how long they are kept, days. */
  recordings: 21,
  recordingDays: 7,
  /** A secret or a value of a form, as when an account is connected, and the values of a form. */
  value: MAX_CONNECT_VALUE,
  values: 12,
  /** Address of an example answer. */
  address: 2000,
} as const;

/** A fault of a document: `{ path: 'entities.0.sortedBy', message: 'There is no column updated.' }`. */
const documentProblemSchema = z.object({ path: z.string(), message: z.string() });
export type ConnectorProblem = z.infer<typeof documentProblemSchema>;

const connectorKeySchema = z
  .string()
  .max(31)
  .regex(/^[a-z][a-z0-9-]{1,30}$/, 'Use small letters, digits and hyphens, and begin with a letter');
const keyParams = z.object({ key: connectorKeySchema });
/** Values by their places in the configuration of a manifest. */
const addressValuesSchema = z
  .record(z.string().max(CONNECTOR_BOUNDS.place), z.string().max(CONNECTOR_BOUNDS.value))
  .refine((values) => Object.keys(values).length <= CONNECTOR_BOUNDS.values, 'Too many values');

/** When the text changed that the caller read (ISO 8601), so that nobody changes one that they have not seen. */
const changedAtSchema = z.iso.datetime().max(30);
const documentTextSchema = z.string().max(CONNECTOR_BOUNDS.document);

/** A connector that administrators wrote: `{ key: 'helpdesk', title: 'Help desk', state: 'published', version: 3, … }`. */
const connectorSummarySchema = z.object({
  key: z.string(),
  /** Of the published version, else of the draft; the key where the draft has none. */
  title: z.string(),
  description: z.string(),
  /** `draft`: never published. `withdrawn`: nobody can connect it, and its accounts no longer synchronize. */
  state: z.enum(['draft', 'published', 'withdrawn']),
  /** The published version; null for a draft. */
  version: z.number().int().nullable(),
  /** ISO 8601. */
  publishedAt: z.string().nullable(),
  /** When the draft changed that is not published yet, ISO 8601; null without one. */
  draftAt: z.string().nullable(),
  /** Connected accounts of all users. */
  accounts: z.number().int(),
});
export type ConnectorSummary = z.infer<typeof connectorSummarySchema>;

const connectorsSchema = z.object({
  connectors: z.array(connectorSummarySchema),
  /** Documents that belong to the product, to start from. */
  shipped: z.array(z.object({ key: z.string(), title: z.string(), description: z.string() })),
});
export type Connectors = z.infer<typeof connectorsSchema>;

const connectorDetailSchema = connectorSummarySchema.extend({
  /** Text of the draft; that of the published version where there is no draft. */
  document: z.string(),
  /** When that text was saved or published (ISO 8601), which a save names, and by whom; empty for an account that was deleted. */
  changedAt: z.string(),
  changedBy: z.string(),
  problems: z.array(documentProblemSchema),
  /** Newest first. */
  versions: z.array(
    z.object({
      version: z.number().int(),
      /** ISO 8601. */
      publishedAt: z.string(),
      /** Name of the administrator; empty for an account that was deleted. */
      publishedBy: z.string(),
    }),
  ),
  /** Address to register at the provider for an OAuth client. */
  callbackUrl: z.string(),
  /** Id of the OAuth client that an administrator entered; null without one. Its secret is never shown. */
  clientId: z.string().nullable(),
  /** Answers that *Try* recorded for this draft, newest first, one of each entity; `identity` is that about the account. Their values are replaced. */
  recordings: z.array(z.object({ entity: z.string(), records: z.number().int(), recordedAt: z.string() })),
});
export type ConnectorDetail = z.infer<typeof connectorDetailSchema>;

/** What a new document is made of. */
const documentStartSchema = z.discriminatedUnion('from', [
  z.object({ from: z.literal('shipped'), key: connectorKeySchema }),
  /** An answer of the API (JSON) and the address that sent it. */
  z.object({
    from: z.literal('example'),
    key: connectorKeySchema,
    title: z.string().trim().min(1, 'Required').max(80),
    address: z.string().trim().max(CONNECTOR_BOUNDS.address),
    answer: z.string().max(CONNECTOR_BOUNDS.example),
  }),
  /** An address that is requested once, with a token or key that is not stored; `header` has it, else `authorization: Bearer`. */
  z.object({
    from: z.literal('address'),
    key: connectorKeySchema,
    title: z.string().trim().min(1, 'Required').max(80),
    address: z.string().trim().min(1, 'Required').max(CONNECTOR_BOUNDS.address),
    header: z.string().trim().max(100).default(''),
    secret: z.string().max(CONNECTOR_BOUNDS.value).default(''),
  }),
  /** An OpenAPI description (3.0 or 3.1), JSON or YAML. */
  z.object({
    from: z.literal('openapi'),
    key: connectorKeySchema,
    description: z.string().max(CONNECTOR_BOUNDS.example),
  }),
  /**
   * A declarative manifest of Airbyte, YAML; `streams` names those to import (`['deals']`), else those that fit. `values` has those of
   * its configuration on which addresses depend, by their places: `{ 'credentials.region': 'eu' }`.
   */
  z.object({
    from: z.literal('manifest'),
    key: connectorKeySchema,
    title: z.string().trim().min(1, 'Required').max(80),
    manifest: z.string().max(CONNECTOR_BOUNDS.manifest),
    streams: z.array(z.string().max(CONNECTOR_BOUNDS.streamName)).max(DOCUMENT_LIMITS.entities).optional(),
    values: addressValuesSchema.optional(),
  }),
  /** A document, JSON or YAML. */
  z.object({ from: z.literal('document'), text: documentTextSchema }),
]);
export type DocumentStart = z.infer<typeof documentStartSchema>;

/** What became of a stream of a manifest: `{ name: 'deals', line: 120, isImported: true, reason: '', entities: ['crm-deals'] }`. */
const manifestStreamSchema = z.object({
  name: z.string(),
  /** Line of the manifest, from 1. */
  line: z.number().int(),
  isImported: z.boolean(),
  /** Why it was left out, as a sentence; empty for an imported one. */
  reason: z.string(),
  /** Ids of the entities that it takes: its own, then those of its parents. Empty if it cannot be imported. */
  entities: z.array(z.string()),
});
export type ManifestStream = z.infer<typeof manifestStreamSchema>;

/** Counts the imported streams of a manifest as a sentence: `34 of 41 streams were imported.` */
export function importedSentence(streams: readonly ManifestStream[]): string {
  const imported = streams.filter(({ isImported }) => isImported).length;
  return `${imported} of ${streams.length} ${streams.length === 1 ? 'stream' : 'streams'} ${imported === 1 ? 'was' : 'were'} imported.`;
}

/**
 * A value on which the addresses of a manifest depend. It becomes part of the document, so that all accounts have the same one:
 * `{ path: 'region', label: 'Region', tip: '', value: 'us', choices: ['us', 'eu'], example: '' }`.
 */
const manifestAddressSchema = z.object({
  /** Its place in the configuration, with dots. */
  path: z.string(),
  label: z.string(),
  tip: z.string(),
  /** The given one, or that of the manifest; empty without one. */
  value: z.string(),
  /** The values among which the manifest lets people choose; none for a free one. */
  choices: z.array(z.string()),
  example: z.string(),
});
export type ManifestAddress = z.infer<typeof manifestAddressSchema>;

const startedDocumentSchema = z.object({
  /** JSON, indented by two spaces; empty if there is nothing to start from. */
  document: z.string(),
  /** What could not be taken over or was guessed, as sentences. */
  remarks: z.array(z.string()),
  /** The streams of a manifest, in its order. */
  streams: z.array(manifestStreamSchema).optional(),
  /** The values of a manifest’s configuration on which addresses depend. */
  addresses: z.array(manifestAddressSchema).optional(),
});
export type StartedDocument = z.infer<typeof startedDocumentSchema>;

const valuesSchema = z
  .record(z.string().max(31), z.string().max(CONNECTOR_BOUNDS.value))
  .refine((values) => Object.keys(values).length <= CONNECTOR_BOUNDS.values, 'Too many values');

/** One page of an entity, requested from the real API. */
const connectorTrialRequestSchema = z.object({
  document: documentTextSchema,
  entity: z.string().max(31),
  /** Values of the connect form without the secret, and the secret; neither is stored. */
  config: valuesSchema.default({}),
  secret: z.string().max(CONNECTOR_BOUNDS.value).default(''),
  settings: valuesSchema.default({}),
});
export type ConnectorTrialRequest = z.infer<typeof connectorTrialRequestSchema>;

const connectorTrialResultSchema = z.object({
  /** What was sent, without the secret; null when the document cannot be used. */
  request: z
    .object({
      method: z.enum(['GET', 'POST']),
      url: z.string(),
      headers: z.record(z.string(), z.string()),
      body: z.string().nullable(),
    })
    .nullable(),
  /** What came back; `text` has its first 20,000 characters. Null when no answer came. */
  answer: z
    .object({
      status: z.number().int(),
      type: z.string(),
      bytes: z.number().int(),
      milliseconds: z.number().int(),
      text: z.string(),
    })
    .nullable(),
  /** Name of the account that the secret belongs to; absent for a document without `identity`, and when it could not be read. */
  account: z.string().optional(),
  /** Number of records on the page, and the first five as indented JSON. */
  records: z.object({ count: z.number().int(), first: z.array(z.string()) }),
  /** Path and query of the next request; null after the last page. */
  nextPage: z.string().nullable(),
  /** Columns of the document with their values in the first five records. */
  columns: z.array(
    z.object({
      name: z.string(),
      type: z.string(),
      values: z.array(z.string()),
      /** Records of this page that have a value. */
      filled: z.number().int(),
    }),
  ),
  /** Fields of the records that no column reads, with guessed types. */
  suggestions: z.array(
    z.object({ name: z.string(), type: z.string(), value: z.string(), example: z.string() }),
  ),
  problems: z.array(documentProblemSchema),
});
export type ConnectorTrialResult = z.infer<typeof connectorTrialResultSchema>;

/** A check of a proof: `{ title: 'An expired token is renewed', outcome: 'passed', message: '', … }`. */
const proofCheckSchema = z.object({
  /** Id of the entity; `identity` for the account. */
  entity: z.string(),
  title: z.string(),
  /** `undecided`: the recorded answers do not show it, or there was no time. `not-applicable`: the document has nothing of the kind. */
  outcome: z.enum(['passed', 'failed', 'undecided', 'not-applicable']),
  /** What went wrong and what to change, as a sentence; why it is undecided or does not apply. Empty when passed. */
  message: z.string(),
  /** Place in the document to correct, e.g. `entities.0.pagination`; empty if none is known. */
  path: z.string(),
});
export type ProofCheck = z.infer<typeof proofCheckSchema>;

const connectorProofSchema = z.object({ checks: z.array(proofCheckSchema), milliseconds: z.number().int() });
export type ConnectorProof = z.infer<typeof connectorProofSchema>;

/** Endpoints of the connectors that administrators write: by session only. */
export const CONNECTOR_ENDPOINTS = defineEndpoints({
  connectors: {
    method: 'GET',
    path: '/api/admin/connectors',
    summary:
      'The connectors that administrators of this server wrote, by title, and the documents to start from',
    access: 'administrator',
    response: connectorsSchema,
  },
  connector: {
    method: 'GET',
    path: '/api/admin/connectors/{key}',
    summary: 'A connector with its document, the faults of it, and its versions',
    access: 'administrator',
    params: keyParams,
    response: connectorDetailSchema,
  },
  connectorStart: {
    method: 'POST',
    path: '/api/admin/connectors/start',
    summary:
      'Write a document from a shipped one, an example answer, an address that is tried, an OpenAPI description, a manifest of Airbyte, or YAML; stores nothing',
    access: 'administrator',
    body: documentStartSchema,
    response: startedDocumentSchema,
  },
  connectorSave: {
    method: 'PUT',
    path: '/api/admin/connectors/{key}/draft',
    summary:
      'Save the draft of a connector, which may have faults; `changedAt` is that of the text that was read, null creates the connector',
    access: 'administrator',
    params: keyParams,
    body: z.object({ document: documentTextSchema, changedAt: changedAtSchema.nullable() }),
    response: z.object({ problems: z.array(documentProblemSchema), draftAt: z.string() }),
  },
  connectorDiscard: {
    method: 'DELETE',
    path: '/api/admin/connectors/{key}/draft',
    summary:
      'Discard the draft; a connector that was never published is deleted. `changedAt` is that of the text that was read',
    access: 'administrator',
    params: keyParams,
    query: z.object({ changedAt: changedAtSchema }),
    response: okSchema,
  },
  connectorTry: {
    method: 'POST',
    path: '/api/admin/connectors/{key}/try',
    summary:
      'Read one page of an entity from the real API, at most 1 MB in 10 s; records the shape of the answer',
    access: 'administrator',
    params: keyParams,
    body: connectorTrialRequestSchema,
    response: connectorTrialResultSchema,
  },
  connectorProve: {
    method: 'POST',
    path: '/api/admin/connectors/{key}/prove',
    summary: 'Synchronize from a stand-in made of the recorded answers, with faults; takes up to a minute',
    access: 'administrator',
    params: keyParams,
    body: z.object({ document: documentTextSchema }),
    response: connectorProofSchema,
  },
  connectorClient: {
    method: 'PUT',
    path: '/api/admin/connectors/{key}/client',
    summary: 'Enter the OAuth client of a connector; its secret is stored encrypted and never shown',
    access: 'administrator',
    params: keyParams,
    body: z.object({
      id: z.string().trim().min(1, 'Required').max(1000),
      secret: z.string().trim().min(1, 'Required').max(CONNECTOR_BOUNDS.value),
    }),
    response: okSchema,
  },
  connectorPublish: {
    method: 'POST',
    path: '/api/admin/connectors/{key}/publish',
    summary:
      'Publish the draft as the next version; 422 with the faults by path. `changedAt` is that of the text that was read',
    access: 'administrator',
    params: keyParams,
    body: z.object({ changedAt: changedAtSchema }),
    response: z.object({ version: z.number().int() }),
  },
  connectorRestore: {
    method: 'POST',
    path: '/api/admin/connectors/{key}/restore',
    summary: 'Publish the document of an earlier version again, as the next version',
    access: 'administrator',
    params: keyParams,
    body: z.object({ version: z.number().int().min(1).max(1_000_000) }),
    response: z.object({ version: z.number().int() }),
  },
  connectorWithdraw: {
    method: 'POST',
    path: '/api/admin/connectors/{key}/withdraw',
    summary: 'Withdraw a published connector, or offer it again; its data stays readable',
    access: 'administrator',
    params: keyParams,
    body: z.object({ isWithdrawn: z.boolean() }),
    response: okSchema,
  },
  connectorDelete: {
    method: 'POST',
    path: '/api/admin/connectors/{key}/delete',
    summary: 'Delete a connector with the accounts and records of all users; `confirmation` is its key',
    access: 'administrator',
    params: keyParams,
    body: z.object({ confirmation: z.string().trim().min(1, 'Required').max(1000) }),
    response: okSchema,
  },
});
