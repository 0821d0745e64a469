import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  downloadSharedTile,
  openShareSession,
  readSharedChart,
  readSharedPage,
  readSharedRows,
  requireSharing,
  shareEnded,
  shareExhausted,
} from '../../features/shares/index.ts';
import {
  findSharedGrant,
  isPassword,
  isReading,
  isUsedUp,
  type TokenGrant,
} from '../../features/tokens/index.ts';
import { AppError } from '../../platform/app-error.ts';
import { limitByNetwork } from '../http/caller.ts';
import { disconnectSignal } from '../http/client-disconnect.ts';
import { pageText } from '../http/page-text.ts';
import { route } from '../http/route.ts';
import { sendFile, writtenFormat } from '../http/send-file.ts';
import { shareOf } from '../http/share-caller.ts';
import { sortOf } from '../http/sort.ts';
import { grantOf, setGrant } from '../http/token-caller.ts';
import type { Product } from '../product.ts';

/** Rate limit of openings per network, which may be that of a whole office. */
const OPEN_LIMIT = { max: 120, timeWindow: 60_000, keyGenerator: limitByNetwork };
/** Passwords that may be tried per share and network. */
const PASSWORD_LIMIT = { max: 5, timeWindow: 60_000 };

/** Returns what checks the password of a share. */
function passwordCheck(app: FastifyInstance) {
  const limit = app.createRateLimit({
    ...PASSWORD_LIMIT,
    // By the token and not by the text of the link, which the caller wrote.
    keyGenerator: (request) => `${grantOf(request)?.id} ${limitByNetwork(request)}`,
  });
  /** @throws AppError password-needed, password-wrong, rate-limited */
  return async (request: FastifyRequest, { id, passwordHash }: TokenGrant, password = ''): Promise<void> => {
    if (passwordHash === null) return;
    if (password === '')
      throw new AppError(
        'password-needed',
        'This page has a password. Ask the person who sent the link for it.',
      );
    const tries = await limit(request);
    if (!tries.isAllowed && tries.isExceeded)
      throw new AppError('rate-limited', 'Too many passwords were tried. Wait a little, then try again.', {
        retryAfter: tries.ttlInSeconds,
      });
    if (!(await isPassword(password, passwordHash, `share ${id}`)))
      throw new AppError('password-wrong', 'This is not the password of the page.', {
        fields: { password: 'Not the password of the page' },
      });
  };
}

/** Registers shared pages. */
export function registerShareRoutes(app: FastifyInstance, product: Product): void {
  const { context, registry } = product;
  const checkPassword = passwordCheck(app);
  route(
    app,
    product,
    'openShare',
    async ({ body, request }) => {
      requireSharing(context);
      const found = await findSharedGrant(context.db, body);
      if (!found || !isReading(found.grant.scope)) throw shareEnded();
      const { grant } = found;
      setGrant(request, grant);
      await checkPassword(request, grant, body.password);
      if (isUsedUp(grant)) throw shareExhausted();
      return openShareSession(context, { kind: 'token', userId: grant.userId, id: grant.id });
    },
    { config: { rateLimit: OPEN_LIMIT } },
  );
  route(app, product, 'sharedPage', async ({ request }) =>
    readSharedPage(context, registry, shareOf(request)),
  );
  route(app, product, 'sharedRows', async ({ params, query, request, reply }) =>
    pageText(
      await readSharedRows(context, registry, {
        shared: shareOf(request),
        tileId: params.tileId,
        page: query.page,
        sort: sortOf(query),
        signal: disconnectSignal(reply),
      }),
    ),
  );
  route(app, product, 'sharedChart', async ({ params, query, request, reply }) =>
    readSharedChart(context, registry, {
      shared: shareOf(request),
      tileId: params.tileId,
      timeZone: query.timeZone,
      signal: disconnectSignal(reply),
    }),
  );
  route(app, product, 'sharedDownload', async ({ params, query, request, reply }) => {
    const { title, file } = await downloadSharedTile(context, registry, {
      shared: shareOf(request),
      tileId: params.tileId,
      format: writtenFormat(query),
      signal: disconnectSignal(reply),
    });
    return sendFile(reply, file, { name: `view_${title}`, format: query.format });
  });
}
