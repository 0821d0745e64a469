export { AccessTokens } from './access-token.ts';
export { connectByForm, connectByGrant } from './connect.ts';
export { accountsToDisconnect, disconnect, revokeAll } from './disconnect.ts';
export { openClient, providerFailure, requireUsable } from './provider-access.ts';
export { ConnectionLedger } from './quota-ledger.ts';
export { ConnectorRegistry } from './registry.ts';
export { Schedulers } from './schedulers.ts';
export {
  type Connection,
  CREDENTIALS,
  clampWait,
  createSampleConnection,
  deleteConnections,
  deleteDisconnected,
  deleteQuotaGrants,
  deleteUnreadableCredentials,
  findConnection,
  type GrantRef,
  listConnectedProviders,
  listConnections,
  listShownConnections,
  lockConnection,
  markReconnectNeeded,
  replaceConnectionId,
  requireAccount,
  requireStoredKeys,
  saveAccountTitle,
  saveNotBefore,
} from './store.ts';
export { listProviders } from './to-response.ts';
export { announceExpiringTokens, markExpiredTokens } from './token-expiry.ts';
