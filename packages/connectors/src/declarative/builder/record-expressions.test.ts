import type { ConnectorDocument, DocumentEntity } from '@datadeck/contract/connector-document';
import { describe, expect, it } from 'vitest';
import { oddService } from '../../../test-support/declarative/field-kinds.ts';
import { type ConnectorRecord, receiveRecords } from '../../sdk/index.ts';
import { EntityMapper } from '../entity-mapper.ts';
import { SecretHider } from './hide-secret.ts';
import { recordAnswer } from './record-answer.ts';

const NOW = '2026-06-01T10:00:00.000Z';

/** Returns the records of an answer as a run reads them. */
function read(document: ConnectorDocument, text: string): ConnectorRecord[] {
  const bytes = new Uint8Array(Buffer.from(text));
  const mapper = new EntityMapper(document, document.entities[0] as DocumentEntity);
  const variables = { config: {}, settings: {}, now: NOW };
  const request = { path: '/tickets', query: {}, headers: {}, body: null };
  const page = mapper.page({ bytes, headers: {} }, request, variables);
  if ('failedBody' in page) throw new Error('the answer is called a failure');
  return receiveRecords(page.records);
}

/** Returns what of records depends on comparisons and forms: which are equal, which have values, and their order. */
function shapeOf(records: readonly ConnectorRecord[], document: ConnectorDocument): unknown {
  const ids = records.map(({ id }) => id);
  const times = records.map(({ occurredAt }) => occurredAt.getTime());
  const columns = document.entities[0]?.columns ?? {};
  const compared = Object.keys(columns).filter((name) => /^f/.test(name));
  return {
    ids: ids.map((id) => ids.indexOf(id)),
    order: times.map((time) => times.toSorted((a, b) => a - b).indexOf(time)),
    dated: times.map((time) => time !== 0),
    columns: records.map((record) =>
      compared.map((name) => {
        const value = record.columns[name] ?? null;
        const isCompared =
          columns[name]?.type === 'boolean' ||
          / \? /.test(columns[name]?.value ?? '') ||
          /lookup/.test(columns[name]?.value ?? '');
        return isCompared ? value : value === null;
      }),
    ),
  };
}

describe('a recorded answer', () => {
  it.each(Array.from({ length: 300 }, (_, seed) => seed))(
    'reads as the real one by the right document %i',
    (seed) => {
      const { document, answer } = oddService(seed);
      const text = JSON.stringify(answer);
      const response = JSON.parse(text);
      const task = {
        index: 0,
        status: 200,
        variables: { config: {}, settings: {}, now: NOW },
        answer: { bytes: new Uint8Array(), headers: { 'content-type': 'application/json' } },
      };
      const recording = recordAnswer({ task, document, response, hider: new SecretHider(['secret-token']) });
      const recorded = recording?.text ?? '';
      expect(recorded).not.toMatch(/corporate|Adelheid|Benedikta/);
      const real = shapeOf(read(document, text), document);
      expect(shapeOf(read(document, recorded), document), recorded).toEqual(real);
    },
  );
});
