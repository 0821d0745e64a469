import { type PageMessage, SharedEventStreams } from './shared-event-stream.ts';

const streams = new SharedEventStreams('/api/events');

globalThis.addEventListener('connect', (event) => {
  const [port] = (event as MessageEvent).ports;
  if (!port) return;
  port.addEventListener('message', ({ data }: MessageEvent<PageMessage>) => streams.receive(port, data));
  port.start();
});
