import type { FastifyRequest } from 'fastify';
import { type DueFaults, NOTHING_DUE } from '../faults/fault-injector.ts';

const requests = new WeakMap<FastifyRequest, DueFaults>();

/** Stores the faults that are due for a request. */
export function setDueFaults(request: FastifyRequest, faults: DueFaults): void {
  requests.set(request, faults);
}

/** Returns the faults that are due for a request. */
export function dueFaults(request: FastifyRequest): DueFaults {
  return requests.get(request) ?? NOTHING_DUE;
}
