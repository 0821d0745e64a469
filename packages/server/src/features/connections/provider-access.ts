import {
  type ClientOptions,
  type Connector,
  ProviderClient,
  ProviderError,
  type ProviderFailure,
  type RequestOutcome,
} from '@datadeck/connectors';
import { AppError } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import { clientSpans } from '../../platform/tracing/tracing.ts';
import { AccessTokens } from './access-token.ts';
import type { Schedulers } from './schedulers.ts';
import { type Connection, clampWait, requireKey } from './store.ts';

function labelOf(outcome: RequestOutcome): string {
  return typeof outcome === 'number' ? `${Math.floor(outcome / 100)}xx` : outcome;
}

function isFailure(outcome: RequestOutcome): boolean {
  return typeof outcome === 'number' ? outcome >= 400 : outcome !== 'ok';
}

/**
 * Creates a client that calls a connection's provider within its quota. @throws AppError unavailable if the
 * connection's encryption key is missing
 */
export function openClient(
  context: Context,
  access: { connector: Connector; connection: Connection; schedulers: Schedulers },
  options: Pick<ClientOptions, 'signal' | 'onWait' | 'waitTimeoutMs'>,
): ProviderClient {
  const { connector, connection, schedulers } = access;
  requireKey(context, connection, connector.title);
  const scheduler = schedulers.get(connector, connection);
  if (connection.notBefore)
    scheduler.pauseUntil(clampWait(connection.notBefore, schedulers.clock.now()).getTime());
  const tokens = new AccessTokens(context, connector, connection, schedulers.renewals);
  // Taken here: a request may be sent from the queue of another caller.
  const startSpan = clientSpans();
  return new ProviderClient({
    connector,
    scheduler,
    clock: schedulers.clock,
    ...(schedulers.idleTimeoutMs === undefined ? {} : { idleTimeoutMs: schedulers.idleTimeoutMs }),
    credentials: (refused) => tokens.get(refused),
    observe: ({ host }) => {
      const startedAt = performance.now();
      const end = startSpan(`${connector.key} request`, host === undefined ? {} : { 'server.address': host });
      return (outcome) => {
        end?.(isFailure(outcome), { outcome });
        context.metrics.providerRequests.observe(
          { provider: connector.key, outcome: labelOf(outcome) },
          (performance.now() - startedAt) / 1000,
        );
      };
    },
    ...options,
  });
}

/**
 * Returns the account of a provider if it can be used for calls.
 * @param connection undefined before the provider was first connected
 * @param next what to do once the account is connected again
 * @throws AppError demo-forbids, reconnect-needed, not-connected
 */
export function requireUsable(
  connection: Connection | undefined,
  { title }: Pick<Connector, 'title'>,
  next = 'start the sync',
): Connection {
  if (connection?.status === 'sample')
    throw new AppError('demo-forbids', 'A demo workspace shows sample data and cannot be synchronized.');
  if (connection?.status === 'reconnect-needed') {
    throw new AppError(
      'reconnect-needed',
      `${title} no longer grants access. Connect it again under Providers, then ${next}.`,
    );
  }
  if (connection?.status !== 'connected')
    throw new AppError('not-connected', `${title} is not connected. Connect it under Providers first.`);
  return connection;
}

/** Returns whether the error is the abort reason of `AbortSignal.timeout`. */
function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError';
}

/** Failures caused by the user's settings: a label, repository or mailbox that does not exist or may not be read. */
const CAUSED_BY_SETTINGS = new Set<ProviderFailure>(['not-found', 'invalid', 'forbidden']);

/** Converts a provider failure during an API request to an error of the API. Other errors are returned unchanged. */
export function providerFailure(error: unknown): unknown {
  if (isTimeout(error))
    return new AppError('provider-unavailable', 'The provider did not answer in time. Try again later.');
  if (!(error instanceof ProviderError)) return error;
  if (error.failure === 'reauthorise') return new AppError('reconnect-needed', error.message);
  if (error.failure === 'rate-limited') {
    const seconds = Math.ceil(Math.max(1000, (error.until?.getTime() ?? 0) - Date.now()) / 1000);
    return new AppError('rate-limited', error.message, { retryAfter: seconds });
  }
  if (CAUSED_BY_SETTINGS.has(error.failure))
    return new AppError(
      'validation-failed',
      error.message,
      error.field === undefined ? {} : { fields: { [error.field]: error.message } },
    );
  return new AppError('provider-unavailable', error.message);
}
