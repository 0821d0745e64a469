import { expect } from '@playwright/test';

/** Calls an action of the test sandbox, e.g. `github.insertPull`. @returns its result */
export async function actOnSandbox(url: string, target: string, ...words: unknown[]): Promise<unknown> {
  const response = await fetch(`${url}/sandbox/control/actions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ target, arguments: words }),
  });
  expect(response.ok).toBe(true);
  return ((await response.json()) as { result: unknown }).result;
}
