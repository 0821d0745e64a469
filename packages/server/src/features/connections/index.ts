export { AccessTokens } from './access-token.ts';
export { connectByForm, connectByGrant } from './connect.ts';
export { disconnect, revokeAll } from './disconnect.ts';
export { openClient, providerFailure, usableConnection } from './provider-access.ts';
export { ConnectionLedger } from './quota-ledger.ts';
export { ConnectorRegistry } from './registry.ts';
export { Schedulers } from './schedulers.ts';
export {
  type Connection,
  CREDENTIALS,
  clampWait,
  createSampleConnection,
  deleteConnections,
  deleteQuotaGrants,
  deleteUnreadableCredentials,
  findConnection,
  findCurrentConnection,
  type GrantRef,
  listConnections,
  listCurrentConnections,
  lockConnection,
  markReconnectNeeded,
  replaceConnectionId,
  requireStoredKeys,
  saveNotBefore,
} from './store.ts';
export { listProviders } from './to-response.ts';
export { announceExpiringTokens, markExpiredTokens } from './token-expiry.ts';
