import type { EndpointName } from '../endpoints.ts';
import { ACCOUNT_EXAMPLES } from './account-examples.ts';
import { ADMIN_EXAMPLES } from './admin-examples.ts';
import { CONNECTOR_EXAMPLES } from './connector-examples.ts';
import { DATA_EXAMPLES } from './data-examples.ts';
import type { Example, Examples } from './example.ts';
import { INVITATION_EXAMPLES } from './invitation-examples.ts';
import { MESSAGE_EXAMPLES } from './message-examples.ts';
import { SHARE_EXAMPLES } from './share-examples.ts';
import { SYNC_EXAMPLES } from './sync-examples.ts';

const ALL: Examples = {
  ...ACCOUNT_EXAMPLES,
  ...ADMIN_EXAMPLES,
  ...CONNECTOR_EXAMPLES,
  ...SYNC_EXAMPLES,
  ...DATA_EXAMPLES,
  ...MESSAGE_EXAMPLES,
  ...SHARE_EXAMPLES,
  ...INVITATION_EXAMPLES,
};

/** A request and its successful answer for each endpoint, for the description of the API. */
export const EXAMPLES: Readonly<Record<EndpointName, Example>> = ALL;
export { ERROR_EXAMPLES } from './error-examples.ts';
export type { Example } from './example.ts';
