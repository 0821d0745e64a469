import type { FastifyInstance } from 'fastify';
import {
  changePlan,
  listAuditEntries,
  setAdministrator,
  signOutEverywhere,
  type User,
} from '../../features/accounts/index.ts';
import { publishInvalidation } from '../../features/notifications/index.ts';
import { deleteAccountOf, describeAccount, listAccounts } from '../administration/accounts.ts';
import { readHealth } from '../administration/health.ts';
import { describePlans } from '../administration/plans.ts';
import { shareExaminations } from '../doctor/examine-running.ts';
import { OK, route } from '../http/route.ts';
import type { Product } from '../product.ts';

/** Rate limit of the doctor per administrator: each run calls the providers. */
const DOCTOR_LIMIT = { max: 10, timeWindow: 60_000 };

/** Returns who changes which account. */
const changeBy = ({ id }: User, accountId: string) => ({
  actor: { kind: 'account' as const, id },
  accountId,
});

/** Registers what administrators see of the server. */
function registerOverviews(app: FastifyInstance, product: Product): void {
  const examine = shareExaminations(product);
  route(app, product, 'adminPlans', () => describePlans(product));
  route(app, product, 'adminHealth', () => readHealth(product));
  route(app, product, 'adminAudit', ({ query }) => listAuditEntries(product.context.db, query.page));
  route(
    app,
    product,
    'adminFindings',
    async () => ({ findings: await examine(), checkedAt: new Date().toISOString() }),
    { config: { rateLimit: DOCTOR_LIMIT } },
  );
}

/** Registers the accounts of the server and what administrators do with them, and what they see of the server. */
export function registerAdminRoutes(app: FastifyInstance, product: Product): void {
  const { context } = product;
  registerOverviews(app, product);
  route(app, product, 'adminAccounts', ({ query }) => listAccounts(product, query));
  route(app, product, 'adminAccount', ({ params }) => describeAccount(product, params.id));
  route(app, product, 'adminChangePlan', async ({ user, params: { id }, body }) => {
    await changePlan(context.db, changeBy(user, id), body.plan);
    await publishInvalidation(context, id, ['User', 'Entities']);
    return OK;
  });
  route(app, product, 'adminSetAdministrator', async ({ user, params: { id }, body }) => {
    await setAdministrator(context.db, changeBy(user, id), body.isAdministrator);
    await publishInvalidation(context, id, ['User']);
    return OK;
  });
  route(app, product, 'adminSignOut', async ({ user, params: { id } }) => {
    await signOutEverywhere(context, changeBy(user, id));
    return OK;
  });
  route(app, product, 'adminDeleteAccount', async ({ user, params: { id }, body }) => {
    await deleteAccountOf(product, changeBy(user, id), body.confirmation);
    return OK;
  });
}
