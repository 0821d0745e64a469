import { type EventStreamOptions, openEventStream } from './event-stream.ts';
import type { PageMessage, StreamMessage } from './shared-event-stream.ts';

/** This page's connection to the event stream. */
interface Link {
  /** Reconnects now if the connection is lost. */
  wake(): void;
  close(): void;
}

/** Connects to the event stream that all pages of this browser share. */
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
 * Follows the server's events until the returned function is called. All pages of a browser share one connection.
 * Without shared workers (Chrome on Android), each visible page has its own.
 */
export function followEvents(options: EventStreamOptions): () => void {
  const isShared = 'SharedWorker' in globalThis;
  const open = isShared ? openShared : openEventStream;
  const stopping = new AbortController();
  const { signal } = stopping;
  let link: Link | undefined;
  const disconnect = () => {
    link?.close();
    link = undefined;
  };
  const connect = () => {
    if (signal.aborted) return;
    if (link) return link.wake();
    link = open(options);
    options.onReconnect();
  };
  const onVisibility = () => {
    if (document.visibilityState === 'visible') connect();
    else if (!isShared) disconnect();
  };
  link = open(options);
  document.addEventListener('visibilitychange', onVisibility, { signal });
  window.addEventListener('focus', connect, { signal });
  window.addEventListener('online', connect, { signal });
  // A page in the back-forward cache must not keep the stream open. It reconnects when it is shown again.
  window.addEventListener('pagehide', disconnect, { signal });
  window.addEventListener('pageshow', ({ persisted }) => persisted && connect(), { signal });
  return () => {
    stopping.abort();
    disconnect();
  };
}
