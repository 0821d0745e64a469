import type { ConnectorDetail } from '@datadeck/contract';
import type { Client } from './test-server.ts';
import {
  consentDocument,
  startTicketService,
  TICKET_CLIENT,
  TICKET_TOKEN,
  ticketDocument,
} from './ticket-service.ts';
import type { Visit } from './visit-shares.ts';

/** Writes, tries, proves, publishes and changes a connector as an administrator, connects it, and deletes it. */
export async function visitConnectors(visit: Visit, root: Client): Promise<void> {
  const service = await startTicketService(3);
  const path = ['helpdesk'];
  const document = JSON.stringify(ticketDocument(service.url));
  try {
    await visit(root, 'connectorStart', { body: { from: 'document', text: document } });
    await visit(root, 'connectorSave', { path, body: { document, changedAt: null } });
    const trial = { document, entity: 'helpdesk-tickets', secret: TICKET_TOKEN };
    await visit(root, 'connectorTry', { path, body: trial });
    await visit(root, 'connectorProve', { path, body: { document } });
    const changedAt = async () =>
      (await root.get<ConnectorDetail>('/api/admin/connectors/helpdesk')).changedAt;
    await visit(root, 'connectorPublish', { path, body: { changedAt: await changedAt() } });
    await visit(root, 'connectors');
    await visit(root, 'connector', { path });
    await visit(root, 'connect', { path, body: { values: { token: TICKET_TOKEN } } });
    const consent = JSON.stringify(consentDocument(service.url));
    await visit(root, 'connectorSave', { path, body: { document: consent, changedAt: await changedAt() } });
    await visit(root, 'connectorClient', { path, body: TICKET_CLIENT });
    await visit(root, 'connectorDiscard', { path, query: `?changedAt=${await changedAt()}` });
    await visit(root, 'connectorRestore', { path, body: { version: 1 } });
    for (const isWithdrawn of [true, false])
      await visit(root, 'connectorWithdraw', { path, body: { isWithdrawn } });
    await visit(root, 'connectorDelete', { path, body: { confirmation: 'helpdesk' } });
  } finally {
    service.close();
  }
}
