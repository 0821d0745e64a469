import { type EventStreamOptions, openEventStream } from './event-stream.ts';
import type { PageMessage, StreamMessage } from './shared-event-stream.ts';

/** A page's connection to its event stream. */
interface Link {
  wake(): void;
  close(): void;
}

/** Follows the stream that all pages of this browser share. */
function openShared(options: EventStreamOptions): Link {
  const worker = new SharedWorker(new URL('./events.worker.ts', import.meta.url), { type: 'module' });
  const { port } = worker;
  const send = (message: PageMessage) => port.postMessage(message);
  port.addEventListener('message', ({ data: message }: MessageEvent<StreamMessage>) => {
    if (message.type === 'data') options.onData(message.data);
    else if (message.type === 'reconnected') options.onReconnect();
    else options.onRefused();
  });
  port.start();
  send({ type: 'open', token: options.token });
  return {
    wake: () => send({ type: 'wake' }),
    close: () => {
      send({ type: 'close' });
      port.close();
    },
  };
}

/**
 * Follows the server's events until the returned function is called. All pages of a browser share one connection;
 * where shared workers are missing (Chrome on Android), each page has one while it is visible.
 */
export function followEvents(options: EventStreamOptions): () => void {
  const isShared = 'SharedWorker' in globalThis;
  const open = isShared ? openShared : openEventStream;
  const stopping = new AbortController();
  const { signal } = stopping;
  let link: Link | undefined;
  const leave = () => {
    link?.close();
    link = undefined;
  };
  const enter = () => {
    if (signal.aborted) return;
    if (link) return link.wake();
    link = open(options);
    options.onReconnect();
  };
  const onVisibility = () => {
    if (document.visibilityState === 'visible') enter();
    else if (!isShared) leave();
  };
  link = open(options);
  document.addEventListener('visibilitychange', onVisibility, { signal });
  window.addEventListener('focus', enter, { signal });
  window.addEventListener('online', enter, { signal });
  // A page in the back-forward cache must not keep the stream; it receives nothing until it is shown again.
  window.addEventListener('pagehide', leave, { signal });
  window.addEventListener('pageshow', ({ persisted }) => persisted && enter(), { signal });
  return () => {
    stopping.abort();
    leave();
  };
}
