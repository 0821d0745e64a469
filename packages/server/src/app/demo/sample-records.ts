import type { ConnectorRecord } from '@datadeck/connectors';
import { pullRecord, runRecord } from '@datadeck/connectors/github';
import { labelRecord, messageRecord } from '@datadeck/connectors/google';

/** The bundled sample data as records, by entity. */
export interface SampleRecords {
  mailAccount: string;
  codeAccount: string;
  repository: { owner: string; repo: string };
  labels: ConnectorRecord[];
  messages: ConnectorRecord[];
  pulls: ConnectorRecord[];
  runs: ConnectorRecord[];
}

const SAMPLE_SIZES = { labels: 12, messages: 240, pulls: 160, runs: 150 };

let cached: { day: string; sample: SampleRecords } | undefined;

/** Returns today's sample, computed once a day so that recent records look recent. */
export async function sampleRecords(now: Date): Promise<SampleRecords> {
  const day = now.toISOString().slice(0, 10);
  if (cached?.day === day) return cached.sample;
  // Loaded on demand: installations without demo users and sandbox never need it.
  const { demoSample } = await import('@datadeck/sandbox');
  const raw = demoSample(Date.parse(`${day}T00:00:00Z`), SAMPLE_SIZES);
  const repository = `${raw.repository.owner}/${raw.repository.repo}`;
  const sample = {
    mailAccount: raw.mailAccount,
    codeAccount: raw.codeAccount,
    repository: raw.repository,
    labels: raw.labels.map(labelRecord),
    messages: raw.messages.map((message) => messageRecord(message)),
    pulls: raw.pulls.map((pull) => pullRecord(pull, repository)),
    runs: raw.runs.map((run) => runRecord(run, repository)),
  };
  cached = { day, sample };
  return sample;
}
