import type { ConnectorDetail, ConnectorProblem } from '@datadeck/contract';
import type { Client } from './test-server.ts';

/** Saves a document as the draft of a connector, over any former text. */
export async function saveDraft(
  administrator: Client,
  key: string,
  document: unknown,
): Promise<{ problems: ConnectorProblem[]; draftAt: string }> {
  const path = `/api/admin/connectors/${key}`;
  const before = await administrator.call('GET', path);
  const changedAt = before.ok ? ((await before.json()) as ConnectorDetail).changedAt : null;
  return administrator.json('PUT', `${path}/draft`, {
    document: JSON.stringify(document, null, 2),
    changedAt,
  });
}

/** Returns when the text of a connector was changed, which publishing and discarding its draft name. */
export async function seenDraft(administrator: Client, key: string): Promise<{ changedAt: string }> {
  const { changedAt } = await administrator.get<ConnectorDetail>(`/api/admin/connectors/${key}`);
  return { changedAt };
}
