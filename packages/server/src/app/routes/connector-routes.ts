import { draftDocument } from '@datadeck/connectors/declarative/builder';
import { shippedDocuments } from '@datadeck/connectors/declarative/shipped';
import type { FastifyInstance } from 'fastify';
import type { User } from '../../features/accounts/index.ts';
import {
  checkText,
  deleteConnector,
  discardDraft,
  listConnectors,
  type PublishDependencies,
  proveDraft,
  publishDraft,
  readConnector,
  requireNoProblems,
  restoreVersion,
  saveDraft,
  setWithdrawn,
  startAddress,
  storeClient,
  tryDraft,
} from '../../features/connectors/index.ts';
import { finishDeletedConnectors } from '../deleted-connectors.ts';
import { OK, route } from '../http/route.ts';
import type { Product } from '../product.ts';

const actorOf = ({ id }: User) => ({ kind: 'account' as const, id });

/** Returns what publishing needs of the product. */
function publishDependencies({
  context,
  background,
  connectors,
  registry,
  signInProviders,
}: Product): PublishDependencies {
  const keys = new Set([...connectors.shippedKeys(), ...signInProviders.map(({ key }) => key)]);
  return {
    context: background,
    rules: { registry, keys, hosts: context.config.connectHosts },
    declare: (published) => connectors.declare(published),
  };
}

/** Largest request with an example or an OpenAPI description, whose texts may grow as JSON. */
const MAX_START_BYTES = 4 * 1024 * 1024;
/** Limits per administrator: a trial calls the provider, a start reads large texts, a proof takes up to a minute. */
const TRIAL_LIMIT = { config: { rateLimit: { max: 30, timeWindow: 60_000 } } };
const PROOF_LIMIT = { config: { rateLimit: { max: 6, timeWindow: 60_000 } } };

/** Registers what helps to write a document. */
function registerBuilder(app: FastifyInstance, product: Product): void {
  const { context } = product;
  const { rules } = publishDependencies(product);
  route(
    app,
    product,
    'connectorStart',
    ({ user, body }) =>
      body.from === 'address'
        ? startAddress(context, body, { rules, actor: actorOf(user) })
        : draftDocument(body),
    { ...TRIAL_LIMIT, bodyLimit: MAX_START_BYTES },
  );
  route(
    app,
    product,
    'connectorTry',
    ({ user, params: { key }, body: trial }) =>
      tryDraft(context, key, { trial, rules, actor: actorOf(user) }),
    TRIAL_LIMIT,
  );
  route(
    app,
    product,
    'connectorProve',
    async ({ params: { key }, body, reply }) => {
      const left = new AbortController();
      const leave = () => left.abort(new Error('the caller left'));
      reply.raw.on('close', leave);
      try {
        return await proveDraft(context, key, { text: body.document, rules, signal: left.signal });
      } finally {
        reply.raw.off('close', leave);
      }
    },
    PROOF_LIMIT,
  );
}

/** Registers versions of connectors: publish, restore, withdraw, delete. Each announces the change to all processes. */
function registerVersions(app: FastifyInstance, product: Product): void {
  const { context, background, connectors } = product;
  const parts = publishDependencies(product);
  const change = async <T>(work: Promise<T>): Promise<T> => {
    const result = await work;
    await connectors.changed(background);
    return result;
  };
  route(app, product, 'connectorPublish', async ({ user, params: { key }, body: { changedAt } }) => ({
    version: await change(publishDraft(parts, { key, changedAt, actor: actorOf(user) })),
  }));
  route(app, product, 'connectorRestore', async ({ user, params: { key }, body: { version } }) => ({
    version: await change(restoreVersion(parts, { key, version, actor: actorOf(user) })),
  }));
  route(app, product, 'connectorWithdraw', async ({ user, params: { key }, body: { isWithdrawn } }) => {
    await change(setWithdrawn(context, { key, isWithdrawn, actor: actorOf(user) }));
    return OK;
  });
  route(app, product, 'connectorDelete', async ({ user, params: { key }, body: { confirmation } }) => {
    await change(deleteConnector(context, { key, confirmation, actor: actorOf(user) }));
    await finishDeletedConnectors(product);
    return OK;
  });
}

/** Registers what administrators do with the connectors of the server. */
export function registerConnectorRoutes(app: FastifyInstance, product: Product): void {
  const { context } = product;
  const { rules } = publishDependencies(product);
  const shipped = shippedDocuments.map(({ key, title, description }) => ({ key, title, description }));
  route(app, product, 'connectors', async () => ({ connectors: await listConnectors(context.db), shipped }));
  route(app, product, 'connector', ({ params: { key } }) =>
    readConnector(context.db, key, { rules, publicUrl: product.publicUrl() }),
  );
  route(app, product, 'connectorClient', async ({ user, params: { key }, body: client }) => {
    const { document: text } = await readConnector(context.db, key, {
      rules,
      publicUrl: product.publicUrl(),
    });
    const document = requireNoProblems(await checkText(text, key, rules));
    await storeClient(context, { key, client, document, actor: actorOf(user) });
    await product.connectors.changed(product.background);
    return OK;
  });
  route(app, product, 'connectorSave', ({ user, params: { key }, body }) =>
    saveDraft(context, { ...body, key, actor: actorOf(user) }, rules),
  );
  route(app, product, 'connectorDiscard', async ({ user, params: { key }, query: { changedAt } }) => {
    await discardDraft(context, { key, changedAt, actor: actorOf(user) });
    return OK;
  });
  registerBuilder(app, product);
  registerVersions(app, product);
}
