import { compile, JsonataError, QUERY_LIMITS } from '@datadeck/jsonata';
import type { Evaluation, EvaluationRequest, WorkerMessage } from './protocol.ts';

function failureOf(reason: unknown): Evaluation {
  if (reason instanceof JsonataError)
    return { ok: false, failure: { message: reason.message, position: reason.position, code: reason.code } };
  return { ok: false, failure: { message: reason instanceof Error ? reason.message : String(reason) } };
}

/** Converts a result into plain JSON data; functions are omitted, as in JSON. */
function plain(result: unknown): unknown {
  const text = JSON.stringify(result);
  return text === undefined ? undefined : JSON.parse(text);
}

function evaluate({ expression, rows, bindings }: EvaluationRequest): Evaluation {
  const start = performance.now();
  try {
    const result = plain(compile(expression, QUERY_LIMITS).evaluate(rows, bindings));
    return { ok: true, result, elapsedMs: performance.now() - start };
  } catch (reason) {
    return failureOf(reason);
  }
}

const send = (message: WorkerMessage) => globalThis.postMessage(message);

globalThis.addEventListener('message', ({ data }: MessageEvent<EvaluationRequest>) => {
  send({ type: 'done', id: data.id, evaluation: evaluate(data) });
});
send({ type: 'ready' });
