import {
  CONNECTOR_BOUNDS,
  type DocumentStart,
  type ManifestStream,
  type StartedDocument,
} from '@datadeck/contract';
import { DOCUMENT_LIMITS } from '@datadeck/contract/connector-document';
import { importManifest, LEFT_OUT, type StreamOutcome } from '../airbyte/import-manifest.ts';
import { ManifestError } from '../airbyte/read-manifest.ts';
import { shortKey } from './start-example.ts';
import { startedOf } from './started.ts';

type ManifestStart = Extract<DocumentStart, { from: 'manifest' }>;

/** Longest reason of a stream, UTF-16 units. */
const MAX_REASON = 300;

/** Returns why a stream was left out as a sentence: `a sign-in` becomes `Cannot be translated: a sign-in.` */
function sentenceOf(reason: string): string {
  if (reason === LEFT_OUT.unchosen) return 'It was not chosen.';
  if (reason === LEFT_OUT.noRoom)
    return `It can be imported, but a document has at most ${DOCUMENT_LIMITS.entities} entities.`;
  if (reason === LEFT_OUT.noRules)
    return `It can be imported in another connector: a document has at most ${DOCUMENT_LIMITS.rules} rules of failures.`;
  const text = reason.replace(/\s+/g, ' ').trim();
  const cut = text.length > MAX_REASON ? `${text.slice(0, MAX_REASON)}…` : text;
  return `Cannot be translated: ${cut}${/[.!?…]$/.test(cut) ? '' : '.'}`;
}

function streamOf({ name, line, entity, reason = '', needs = [] }: StreamOutcome): ManifestStream {
  const isImported = entity !== undefined;
  return {
    name: name.slice(0, CONNECTOR_BOUNDS.streamName),
    line,
    isImported,
    reason: isImported ? '' : sentenceOf(reason),
    entities: [...needs],
  };
}

const nothing = (remark: string): StartedDocument => ({ document: '', remarks: [remark], streams: [] });

/** Returns what is wrong with a text as one line: the parser quotes the place on more of them. */
function faultOf(error: unknown): string {
  // The parser of YAML is recursive.
  if (error instanceof RangeError) return 'The manifest has too many levels.';
  if (!(error instanceof ManifestError)) throw error;
  const [line = ''] = error.message.split('\n');
  return line.replace(/:$/, '.').slice(0, MAX_REASON);
}

/** Writes a document from a manifest of Airbyte; see `draftDocument`. Runs in the builder's thread. */
export function startManifest({
  key: given,
  title,
  manifest,
  streams: chosen,
  values,
}: ManifestStart): StartedDocument {
  const remarks: string[] = [];
  const key = shortKey(given, remarks);
  let imported: ReturnType<typeof importManifest>;
  try {
    imported = importManifest(manifest, { key, title, streams: chosen, values });
  } catch (error) {
    return nothing(faultOf(error));
  }
  const { document, streams: outcomes, addresses } = imported;
  remarks.push(...imported.remarks);
  if (outcomes.length === 0)
    return nothing('The text is no declarative manifest of Airbyte: it lists no streams.');
  if (outcomes.length > CONNECTOR_BOUNDS.manifestStreams)
    return nothing(`The manifest has more than ${CONNECTOR_BOUNDS.manifestStreams} streams.`);
  const unknown = chosen?.filter((name) => !outcomes.some((one) => one.name === name)) ?? [];
  remarks.push(...unknown.map((name) => `The manifest has no stream ${name}.`));
  const streams = outcomes.map(streamOf);
  const unused = Object.keys(values ?? {}).filter((path) => !addresses.some((one) => one.path === path));
  remarks.push(...unused.map((path) => `No address of the manifest depends on ${path}.`));
  if (!document)
    return {
      document: '',
      remarks: [...remarks, 'No stream of the manifest was imported.'],
      streams,
      addresses,
    };
  const started = startedOf(document, remarks);
  const most = CONNECTOR_BOUNDS.document;
  if (started.document.length <= most) return { ...started, streams, addresses };
  return {
    document: '',
    remarks: [
      `The document would have more than ${most.toLocaleString('en')} characters. Choose fewer streams.`,
    ],
    streams: streams.map((stream) => ({ ...stream, isImported: false })),
    addresses,
  };
}
