import { describe, expect, it } from 'vitest';
import { OpenCounter } from './open-counter.ts';

const refusal = (name: string) => new Error(`${name} is full`);

describe('OpenCounter', () => {
  it('refuses entries beyond the maximum of a name', () => {
    const counter = new OpenCounter();
    counter.acquire({ all: 3, ada: 1 }, refusal);
    expect(() => counter.acquire({ all: 3, ada: 1 }, refusal)).toThrow('ada is full');
    counter.acquire({ all: 3, bob: 1 }, refusal);
    counter.acquire({ all: 3, cleo: 1 }, refusal);
    expect(() => counter.acquire({ all: 3, dan: 1 }, refusal)).toThrow('all is full');
  });

  it('does not count a refused entry under any name', () => {
    const counter = new OpenCounter();
    counter.acquire({ ada: 1 }, refusal);
    expect(() => counter.acquire({ all: 1, ada: 1 }, refusal)).toThrow('ada is full');
    expect(() => counter.acquire({ all: 1, bob: 1 }, refusal)).not.toThrow();
  });

  it('frees one entry even if its leave function is called twice', () => {
    const counter = new OpenCounter();
    const leave = counter.acquire({ ada: 2 }, refusal);
    counter.acquire({ ada: 2 }, refusal);
    leave();
    leave();
    counter.acquire({ ada: 2 }, refusal);
    expect(() => counter.acquire({ ada: 2 }, refusal)).toThrow('ada is full');
  });
});
