import type { FastifyInstance } from 'fastify';
import { downloadCurve, keepCurve, listCurvePoints, readCurve } from '../../features/curves/index.ts';
import { OK, route } from '../http/route.ts';
import { sendFile, writtenFormat } from '../http/send-file.ts';
import type { Product } from '../product.ts';

/** Registers the curves of views. */
export function registerCurveRoutes(app: FastifyInstance, product: Product): void {
  const { context } = product;
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
