import type { ConnectorRecord } from '@datadeck/connectors';
import { pullRecord } from '@datadeck/connectors/github';
import { labelRecord, messageRecord } from '@datadeck/connectors/google';

/** The bundled sample as records, by entity. */
export interface SampleRecords {
  mailAccount: string;
  codeAccount: string;
  repository: { owner: string; repo: string };
  labels: ConnectorRecord[];
  messages: ConnectorRecord[];
  pulls: ConnectorRecord[];
}

const SIZES = { labels: 12, messages: 240, pulls: 160 };

let kept: { day: string; sample: SampleRecords } | undefined;

/** The sample of today: made once a day, so that what is recent looks recent. */
export async function sampleRecords(now: Date): Promise<SampleRecords> {
  const day = now.toISOString().slice(0, 10);
  if (kept?.day === day) return kept.sample;
  // Loaded when first needed: a product without demo users and sandbox does not carry it.
  const { demoSample } = await import('@datadeck/sandbox');
  const raw = demoSample(Date.parse(`${day}T00:00:00Z`), SIZES);
  const repository = `${raw.repository.owner}/${raw.repository.repo}`;
  const sample = {
    mailAccount: raw.mailAccount,
    codeAccount: raw.codeAccount,
    repository: raw.repository,
    labels: raw.labels.map(labelRecord),
    messages: raw.messages.map(messageRecord),
    pulls: raw.pulls.map((pull) => pullRecord(pull, repository)),
  };
  kept = { day, sample };
  return sample;
}
