import { describe, expect, it } from 'vitest';
import { createEventParser, reconnectDelay } from './event-stream.ts';

function parse(...chunks: string[]): string[] {
  const events: string[] = [];
  const feed = createEventParser((data) => events.push(data));
  for (const chunk of chunks) feed(chunk);
  return events;
}

describe('createEventParser', () => {
  it('reads events however the chunks are cut', () => {
    const text = 'event: x\ndata: {"a":1}\n\n: keep-alive\n\ndata:two\n\n';
    for (let cut = 0; cut <= text.length; cut += 1)
      expect(parse(text.slice(0, cut), text.slice(cut))).toEqual(['{"a":1}', 'two']);
  });

  it('joins several data lines, and takes any line ending', () => {
    expect(parse('data: a\r\ndata: b\r\n\r\ndata: c\r\r')).toEqual(['a\nb']);
    expect(parse('data: a\r\n\r', '\ndata: b\n\n')).toEqual(['a', 'b']);
  });

  it('keeps an unfinished event back', () => {
    expect(parse('data: a\n')).toEqual([]);
  });
});

describe('reconnectDelay', () => {
  it('doubles from 1 s to 30 s', () => {
    expect([0, 1, 2, 5, 20].map(reconnectDelay)).toEqual([1000, 2000, 4000, 30_000, 30_000]);
  });
});
