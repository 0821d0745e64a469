import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Creates the Prometheus metrics of one process. */
export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return {
    registry,
    requests: new Histogram({
      name: 'datadeck_http_request_seconds',
      help: 'Duration of HTTP requests',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30],
      registers: [registry],
    }),
    recordsWritten: new Counter({
      name: 'datadeck_records_written_total',
      help: 'Records committed by syncs',
      labelNames: ['entity'],
      registers: [registry],
    }),
    syncsEnded: new Counter({
      name: 'datadeck_syncs_ended_total',
      help: 'Ended syncs; the outcome is finished, cancelled or the code of a failure',
      labelNames: ['provider', 'entity', 'outcome'],
      registers: [registry],
    }),
    providerRequests: new Histogram({
      name: 'datadeck_provider_request_seconds',
      help: 'Duration of requests of connectors to providers; the outcome is the class of the status, ok, failed or aborted',
      labelNames: ['provider', 'outcome'],
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
      registers: [registry],
    }),
    runningSyncs: new Gauge({
      name: 'datadeck_running_syncs',
      help: 'Syncs running in this process',
      registers: [registry],
    }),
    jobFailures: new Counter({
      name: 'datadeck_job_failures_total',
      help: 'Failed attempts at background jobs',
      labelNames: ['queue'],
      registers: [registry],
    }),
  };
}

export type Metrics = ReturnType<typeof createMetrics>;
