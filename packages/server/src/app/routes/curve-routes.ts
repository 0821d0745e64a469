import type { FastifyInstance } from 'fastify';
import { readViewDifference } from '../../features/alerts/index.ts';
import { downloadCurve, keepCurve, listCurvePoints, readCurve } from '../../features/curves/index.ts';
import { listViewRuns, readViewPage } from '../../features/views/index.ts';
import { disconnectSignal } from '../http/client-disconnect.ts';
import { pageText } from '../http/page-text.ts';
import { OK, route } from '../http/route.ts';
import { sendFile, writtenFormat } from '../http/send-file.ts';
import { sortOf } from '../http/sort.ts';
import type { Product } from '../product.ts';

/** Registers the curves of views, and views as of a run. */
export function registerCurveRoutes(app: FastifyInstance, product: Product): void {
  const { context, registry } = product;
  route(app, product, 'viewRuns', ({ user, params, query }) =>
    listViewRuns(context, registry, { userId: user.id, viewId: params.viewId, ...query }),
  );
  route(app, product, 'viewAsOf', async ({ user, params, query, reply }) =>
    pageText(
      await readViewPage(context, registry, {
        userId: user.id,
        viewId: params.viewId,
        asOf: query.run,
        page: query.page,
        parameters: query.parameters,
        account: query.account,
        sort: sortOf(query),
        signal: disconnectSignal(reply),
      }),
    ),
  );
  route(app, product, 'viewDifference', ({ user, params, query, reply }) =>
    readViewDifference(context, registry, {
      userId: user.id,
      viewId: params.viewId,
      run: query.run,
      parameters: query.parameters,
      account: query.account,
      signal: disconnectSignal(reply),
    }),
  );
  route(app, product, 'curve', ({ user, params }) => readCurve(context, user.id, params.viewId));
  route(app, product, 'keepCurve', async ({ user, params, body }) => {
    await keepCurve(context, user.id, { ...body, viewId: params.viewId });
    return OK;
  });
  route(app, product, 'curvePoints', ({ user, params, query }) =>
    listCurvePoints(context, user.id, { viewId: params.viewId, page: query.page }),
  );
  route(app, product, 'downloadCurve', async ({ user, params, query, reply }) => {
    const format = writtenFormat(query);
    const { title, file } = await downloadCurve(context, user.id, { viewId: params.viewId, format });
    return sendFile(reply, file, { name: `history_${title}`, format: query.format });
  });
}
