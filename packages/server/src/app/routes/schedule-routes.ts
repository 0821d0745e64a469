import type { FastifyInstance } from 'fastify';
import {
  changeSchedule,
  createSchedule,
  deleteSchedule,
  listSchedules,
  readTimetable,
  saveSchedule,
} from '../../features/schedules/index.ts';
import { OK, route } from '../http/route.ts';
import type { Product } from '../product.ts';

/** Registers the schedules of automatic runs. */
export function registerScheduleRoutes(app: FastifyInstance, product: Product): void {
  const { context, registry } = product;
  route(app, product, 'schedules', async ({ user }) => listSchedules(context, user.id));
  route(app, product, 'saveSchedule', async ({ user, params, body }) =>
    saveSchedule(context, registry, { ...params, ...body, userId: user.id }),
  );
  route(app, product, 'createSchedule', async ({ user, body }) =>
    createSchedule(context, registry, { ...body, user }),
  );
  route(app, product, 'updateSchedule', async ({ user, params, body }) =>
    changeSchedule(context, registry, { ...body, ...params, user }),
  );
  route(app, product, 'deleteSchedule', async ({ user, params }) => {
    await deleteSchedule(context, user.id, params.id);
    return OK;
  });
  route(app, product, 'timetable', async ({ query }) => readTimetable(query, new Date()));
}
