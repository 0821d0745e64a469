import { type Attributes, context, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';

/** Without `startTracing` all spans are no-ops of OpenTelemetry's API. */
const tracer = trace.getTracer('datadeck');
let isStarted = false;

/** Returns whether spans are exported. */
export function isTracing(): boolean {
  return isStarted;
}

/**
 * Starts to export spans by OTLP over HTTP. The exporter is loaded only here, so tracing costs nothing when it is off.
 * @param endpoint base address of the collector; undefined: no tracing
 * @param version of the product, for the attribute `service.version`
 * @returns a function that exports the last spans and ends tracing
 */
export async function startTracing(
  endpoint: string | undefined,
  version: string,
): Promise<() => Promise<void>> {
  if (endpoint === undefined) return async () => undefined;
  const { startExport } = await import('./export.ts');
  const stop = startExport(endpoint, version);
  isStarted = true;
  return async () => {
    isStarted = false;
    await stop();
  };
}

/** Starts the span of a request that reached this process. */
export function startServerSpan(name: string, attributes: Attributes): Span {
  // A root: an outsider's `traceparent` must not decide which requests are recorded.
  return tracer.startSpan(name, { kind: SpanKind.SERVER, attributes, root: true });
}

/** Calls a function whose spans are children of the given one. */
export function within(span: Span, work: () => void): void {
  context.with(trace.setSpan(context.active(), span), work);
}

/** Ends a span. The message of an error may contain values, so it is not recorded. */
export function endSpan(span: Span, isFailed: boolean): void {
  if (isFailed) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

/** Runs background work in a trace of its own. */
export function withRootSpan<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> {
  return tracer.startActiveSpan(name, { root: true, attributes }, async (span) => {
    try {
      const result = await work();
      endSpan(span, false);
      return result;
    } catch (error) {
      endSpan(span, true);
      throw error;
    }
  });
}

/** A span whose work ends later. */
export type OpenSpan = (isFailed: boolean, attributes?: Attributes) => void;

/**
 * Returns a function that starts spans of calls to others, as children of the span that is active now. Calls made while
 * none is active are not recorded: timers and polls would fill the collector.
 */
export function clientSpans(): (name: string, attributes: Attributes) => OpenSpan | undefined {
  const parent = context.active();
  if (trace.getSpan(parent) === undefined) return () => undefined;
  return (name, attributes) => {
    const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, parent);
    return (isFailed, more = {}) => {
      span.setAttributes(more);
      endSpan(span, isFailed);
    };
  };
}
