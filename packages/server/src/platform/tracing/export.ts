import { setTimeout as sleep } from 'node:timers/promises';
import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';

/** Largest number of spans that wait for the collector; more are dropped. */
const MAX_QUEUED = 2048;
const EXPORT_EVERY_MS = 2000;
const EXPORT_TIMEOUT_MS = 5000;
/** Longest wait for the last export. The SDK itself waits longer for a collector that does not answer. */
const STOP_MS = 2000;

/**
 * Exports spans to a collector. OpenTelemetry's own variables, such as OTEL_TRACES_SAMPLER, are read by its SDK.
 * @param endpoint base address; spans go to `/v1/traces` below it
 * @returns a function that exports the last spans, at most for two seconds
 */
export function startExport(endpoint: string, version: string): () => Promise<void> {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint}/v1/traces`,
    timeoutMillis: EXPORT_TIMEOUT_MS,
  });
  const service = {
    'service.name': process.env.OTEL_SERVICE_NAME ?? 'datadeck',
    'service.version': version,
  };
  const provider = new BasicTracerProvider({
    resource: defaultResource().merge(resourceFromAttributes(service)),
    spanProcessors: [
      new BatchSpanProcessor(exporter, {
        maxQueueSize: MAX_QUEUED,
        scheduledDelayMillis: EXPORT_EVERY_MS,
        exportTimeoutMillis: EXPORT_TIMEOUT_MS,
      }),
    ],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(provider);
  return async () => {
    await Promise.race([
      provider.shutdown().catch(() => undefined),
      sleep(STOP_MS, undefined, { ref: false }),
    ]);
    trace.disable();
    context.disable();
  };
}
