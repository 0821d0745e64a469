import type { Grant } from '@datadeck/connectors';
import { connectByForm, connectByGrant } from '../features/connections/index.ts';
import { reportChangedAccounts } from '../features/sync/index.ts';
import type { Product } from './product.ts';

/** A connected account, and whether it was connected before. */
interface ConnectedAccount {
  account: string;
  isKnown: boolean;
}

/** Stores the grant of a consent page, or that of a form with its values. Views then also show the records of the account. */
export async function connectAccount(
  product: Pick<Product, 'context' | 'registry'>,
  request: { userId: string; provider: string } & ({ grant: Grant } | { values: Record<string, string> }),
): Promise<ConnectedAccount> {
  const { context, registry } = product;
  const { userId, provider } = request;
  registry.requireOffered(provider);
  const { connection, isKnown } =
    'grant' in request
      ? await connectByGrant(context, { ...request, method: 'consent' })
      : await connectByForm(context, registry, request);
  await reportChangedAccounts(context, userId, registry.connector(provider));
  return { account: connection.account, isKnown };
}
