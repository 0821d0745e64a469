import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { FAULTS } from '../faults/fault-catalogue.ts';
import type { FaultHandle } from '../faults/fault-injector.ts';
import { readAction, readFaultSpec } from './control-input.ts';
import type { SandboxControl } from './sandbox-control.ts';

const LOOPBACK = /^(::1|(::ffff:)?127\.)/;

/**
 * Registers the control API for tests in other processes: /faults (GET, POST, DELETE), /counters (GET, DELETE),
 * /actions (POST `{"target": "gmail.insert", "arguments": [...]}`) and /reset (POST).
 */
export async function registerControl(scope: FastifyInstance, control: SandboxControl): Promise<void> {
  scope.addHook('onRequest', async (request, reply) => guard(request, reply));
  scope.setErrorHandler((error: unknown, _request, reply) => {
    const message = error instanceof Error ? error.message : String(error);
    return reply.code(400).send({ error: message });
  });
  scope.get('/catalogue', async () => FAULTS.map(({ name, apis, effect }) => ({ name, apis, effect })));
  scope.get('/faults', async () => control.faults().map(summary));
  scope.post('/faults', async (request) => summary(control.fault(readFaultSpec(request.body))));
  scope.delete('/faults', async (_request, reply) => {
    control.clearFaults();
    return reply.code(204).send();
  });
  scope.get('/counters', async () => control.counters());
  scope.delete('/counters', async (_request, reply) => {
    control.resetCounters();
    return reply.code(204).send();
  });
  scope.post('/actions', async (request) => ({
    result: (await readAction(control, request.body)()) ?? null,
  }));
  scope.post('/reset', async (_request, reply) => {
    control.reset();
    return reply.code(204).send();
  });
}

/** Allows only programs on this machine: no other address, no proxy, and no web page. */
function guard(request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined {
  const { headers } = request;
  const isLocal =
    LOOPBACK.test(request.socket.remoteAddress ?? '') && headers['x-forwarded-for'] === undefined;
  const isPage =
    headers.origin !== undefined ||
    ![undefined, 'none'].includes(headers['sec-fetch-site'] as string | undefined);
  if (isLocal && !isPage) return undefined;
  return reply.code(403).send({ error: 'The control answers to programs on this machine only' });
}

function summary(handle: FaultHandle): Record<string, unknown> {
  const { id, seen, hits, spec } = handle;
  const match = spec.match
    ? { ...spec.match, ...(spec.match.path ? { path: spec.match.path.source } : {}) }
    : undefined;
  return { id, seen, hits, ...spec, ...(match ? { match } : {}) };
}
