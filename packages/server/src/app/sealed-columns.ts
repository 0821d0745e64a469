import { ALERT_ADDRESSES } from '../features/alerts/index.ts';
import { CREDENTIALS } from '../features/connections/index.ts';
import { CONNECTOR_CLIENTS } from '../features/connectors/index.ts';
import { WEBHOOK_SECRETS } from '../features/notifications/index.ts';

/** All columns whose values the keys of ENCRYPTION_KEY encrypt for longer than a sign-in. */
export const SEALED_COLUMNS = [CREDENTIALS, WEBHOOK_SECRETS, ALERT_ADDRESSES, CONNECTOR_CLIENTS] as const;
