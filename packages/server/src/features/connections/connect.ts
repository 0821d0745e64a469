import { type Credentials, type Grant, ProviderError } from '@datadeck/connectors';
import { checkConnectValues, STALE_TAGS } from '@datadeck/contract';
import { AppError, notFound } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import { publishInvalidation } from '../notifications/index.ts';
import { providerFailure } from './provider-access.ts';
import type { ConnectorRegistry } from './registry.ts';
import { type SavedAccount, saveGrant } from './save-grant.ts';

/** Failures that the user can fix by entering something else. */
const CAUSED_BY_INPUT = new Set<ProviderError['failure']>([
  'reauthorise',
  'not-found',
  'forbidden',
  'invalid',
]);

/** Converts a failed sign-in to an error for the form, assigned to a field if the provider names one. */
function connectFailure(error: unknown): unknown {
  if (!(error instanceof ProviderError)) return error;
  const { failure, field, message } = error;
  if (!CAUSED_BY_INPUT.has(failure) && field === undefined) return providerFailure(error);
  const fields = field === undefined ? {} : { fields: { [field]: message } };
  return new AppError('validation-failed', message, fields);
}

/**
 * Stores a grant as an account of the provider, known or new, and notifies the user's open pages.
 * @param method how the user connected
 */
export async function connectByGrant(
  context: Context,
  {
    userId,
    provider,
    grant,
    method,
  }: { userId: string; provider: string; grant: Grant; method: NonNullable<Credentials['method']> },
): Promise<SavedAccount> {
  const credentials = { ...grant.credentials, method };
  const saved = await saveGrant(context, userId, provider, { ...grant, credentials });
  await publishInvalidation(context, userId, STALE_TAGS.connection);
  return saved;
}

/**
 * Connects a provider with the values of its form: signs in there and stores the encrypted credentials.
 * @throws AppError validation-failed with the fields to correct; not-found for a provider without a form; rate-limited,
 * provider-unavailable
 */
export async function connectByForm(
  context: Context,
  registry: ConnectorRegistry,
  request: { userId: string; provider: string; values: Record<string, string> },
): Promise<SavedAccount> {
  const { formAuthorization, title } = registry.connector(request.provider);
  if (!formAuthorization) throw notFound(`A form to connect ${title}`);
  const { values, errors } = checkConnectValues(formAuthorization.form.fields, request.values);
  if (Object.keys(errors).length > 0)
    throw new AppError('validation-failed', 'Some of the values are not valid. Correct the marked fields.', {
      fields: errors,
    });
  try {
    const grant = await formAuthorization.connect(values);
    return await connectByGrant(context, { ...request, grant, method: 'form' });
  } catch (error) {
    throw connectFailure(error);
  }
}
