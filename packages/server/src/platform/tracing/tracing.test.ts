import { afterEach, beforeEach, expect, it, vi } from 'vitest';

beforeEach(() => {
  vi.resetModules();
  vi.doMock('./export.ts', () => {
    throw new Error('the exporter was loaded');
  });
});
afterEach(() => {
  vi.doUnmock('./export.ts');
});

it('loads the exporter only when there is a collector', async () => {
  const { isTracing, startTracing } = await import('./tracing.ts');
  const stop = await startTracing(undefined, '1.0.0');
  expect(isTracing()).toBe(false);
  await stop();
  await expect(startTracing('http://127.0.0.1:1', '1.0.0')).rejects.toThrow();
});
