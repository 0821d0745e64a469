import { cleanup, render } from '@testing-library/react';
import type { ReactNode } from 'react';
import toast from 'react-hot-toast';
import { Provider } from 'react-redux';
import { afterEach, vi } from 'vitest';
import { PermissionProvider } from '../src/api/permission.ts';
import { createStore } from '../src/app/state/store.ts';
import { ConfirmationDialog } from '../src/ui/confirmation.tsx';
import { Toasts } from '../src/ui/toast.tsx';

afterEach(() => {
  cleanup();
  toast.remove();
  vi.unstubAllGlobals();
});

export interface Call {
  method: string;
  url: string;
  body: unknown;
}

/** Serves every request with the result of `answer`. @returns the list of requests so far */
export function serve(answer: (call: Call) => { status?: number; body: unknown }): Call[] {
  const calls: Call[] = [];
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const call = {
      method: init.method ?? 'GET',
      url,
      body: init.body ? JSON.parse(String(init.body)) : undefined,
    };
    calls.push(call);
    const { status = 200, body } = answer(call);
    return new Response(JSON.stringify(body), { status });
  });
  return calls;
}

/** Renders with its own store, as a user whose plan allows changes or not. */
export function renderAs({ mayChange }: { mayChange: boolean }, children: ReactNode) {
  return render(
    <Provider store={createStore()}>
      <PermissionProvider value={mayChange}>{children}</PermissionProvider>
      <ConfirmationDialog />
      <Toasts />
    </Provider>,
  );
}
