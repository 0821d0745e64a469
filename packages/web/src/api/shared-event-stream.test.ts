import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type EventStreamOptions, openEventStream } from './event-stream.ts';
import { SharedEventStreams } from './shared-event-stream.ts';

vi.mock('./event-stream.ts');

const opened: (EventStreamOptions & { wake: () => void; close: () => void })[] = [];

beforeEach(() => {
  opened.length = 0;
  vi.mocked(openEventStream).mockImplementation((options) => {
    const stream = { wake: vi.fn(), close: vi.fn() };
    opened.push({ ...options, ...stream });
    return stream;
  });
});

const newPort = () => ({ postMessage: vi.fn() });

describe('SharedEventStreams', () => {
  it('opens one stream for all pages of a session', () => {
    const streams = new SharedEventStreams('/api/events');
    const ports = Array.from({ length: 8 }, newPort);
    for (const port of ports) streams.receive(port, { type: 'open', token: 'a' });
    expect(opened).toHaveLength(1);
    opened[0]?.onData('hello');
    for (const port of ports) expect(port.postMessage).toHaveBeenCalledWith({ type: 'data', data: 'hello' });
  });

  it('keeps the events of sessions apart', () => {
    const streams = new SharedEventStreams('/api/events');
    const [one, two] = [newPort(), newPort()];
    streams.receive(one, { type: 'open', token: 'a' });
    streams.receive(two, { type: 'open', token: 'b' });
    expect(opened.map(({ token }) => token)).toEqual(['a', 'b']);
    opened[0]?.onData('of a');
    expect(two.postMessage).not.toHaveBeenCalled();
  });

  it('closes the stream when the last page leaves', () => {
    const streams = new SharedEventStreams('/api/events');
    const [one, two] = [newPort(), newPort()];
    for (const port of [one, two]) streams.receive(port, { type: 'open', token: 'a' });
    streams.receive(one, { type: 'close' });
    expect(opened[0]?.close).not.toHaveBeenCalled();
    streams.receive(two, { type: 'close' });
    expect(opened[0]?.close).toHaveBeenCalledOnce();
    streams.receive(two, { type: 'open', token: 'a' });
    expect(opened).toHaveLength(2);
  });

  it('reports a reconnection and a refusal to every page', () => {
    const streams = new SharedEventStreams('/api/events');
    const ports = [newPort(), newPort()];
    for (const port of ports) streams.receive(port, { type: 'open', token: 'a' });
    opened[0]?.onReconnect();
    opened[0]?.onRefused();
    for (const { postMessage } of ports)
      expect(postMessage.mock.calls).toEqual([[{ type: 'reconnected' }], [{ type: 'refused' }]]);
  });

  it('wakes only the stream of the page that asks', () => {
    const streams = new SharedEventStreams('/api/events');
    const [one, two] = [newPort(), newPort()];
    streams.receive(one, { type: 'open', token: 'a' });
    streams.receive(two, { type: 'open', token: 'b' });
    streams.receive(two, { type: 'wake' });
    expect(opened[0]?.wake).not.toHaveBeenCalled();
    expect(opened[1]?.wake).toHaveBeenCalledOnce();
  });
});
