import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { lazy, Suspense } from 'react';
import { createMemoryRouter, Outlet, RouterProvider } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fetchCode } from '../ui/fetch-code.ts';
import { ErrorContent, ErrorScreen } from './error-screen.tsx';
import { reloadForNewerBuild, reloadIfReachable } from './newer-build.ts';

/** Serves the server's page with this entry script. Without one, the server is unreachable. */
function servePage(entry: string | undefined): void {
  vi.stubGlobal('fetch', async () => {
    if (entry === undefined) throw new TypeError('Failed to fetch');
    return new Response(`<html><script type="module" crossorigin src="${entry}"></script></html>`);
  });
}
const reload = vi.fn();

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  sessionStorage.clear();
  document.head.innerHTML = '<script type="module" src="/assets/index-a.js"></script>';
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  reload.mockReset();
  document.head.innerHTML = '';
});

const missing = () => fetchCode(() => Promise.reject(new TypeError('Failed to fetch dynamically imported')));
const Missing = lazy(missing);

function open(at: string): void {
  const router = createMemoryRouter(
    [
      {
        path: '/',
        ErrorBoundary: ErrorScreen,
        HydrateFallback: () => null,
        children: [
          {
            path: 'dashboard',
            Component: () => (
              <>
                The shell
                <Outlet />
              </>
            ),
            children: [
              {
                ErrorBoundary: ErrorContent,
                children: [
                  { path: 'screen', lazy: missing },
                  {
                    path: 'part',
                    Component: () => (
                      <Suspense>
                        <Missing />
                      </Suspense>
                    ),
                  },
                ],
              },
            ],
          },
          { path: 'shell', lazy: missing },
        ],
      },
    ],
    { initialEntries: [at] },
  );
  render(<RouterProvider router={router} />);
}

// @covers 2.screen-whose-code
describe('a screen whose code cannot be fetched', () => {
  it.each(['/dashboard/screen', '/dashboard/part'])('shows a message next to the menu at %s', async (at) => {
    servePage(undefined);
    open(at);
    expect(await screen.findByText('The code of this screen could not be loaded.')).toBeTruthy();
    expect(screen.getByText('The shell')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText(/^The server still cannot be reached\./)).toBeTruthy();
  });

  it('shows the message when the code of the shell itself is missing', async () => {
    servePage(undefined);
    open('/shell');
    expect(await screen.findByRole('button', { name: 'Try again' })).toBeTruthy();
  });
});

describe('reloadForNewerBuild', () => {
  it('reloads once for each newer build of the server', async () => {
    servePage('/assets/index-b.js');
    await reloadForNewerBuild(reload);
    expect(reload).toHaveBeenCalledTimes(1);
    for (let times = 0; times < 5; times++) await reloadForNewerBuild(reload);
    expect(reload).toHaveBeenCalledTimes(1);
    servePage('/assets/index-c.js');
    await reloadForNewerBuild(reload);
    expect(reload).toHaveBeenCalledTimes(2);
  });

  it.each([
    ['has the same build', '/assets/index-a.js'],
    ['cannot be reached', undefined],
  ])('does not reload when the server %s', async (_name, entry) => {
    servePage(entry);
    await reloadForNewerBuild(reload);
    expect(reload).not.toHaveBeenCalled();
  });

  it('does not reload when it cannot store that it did', async () => {
    servePage('/assets/index-b.js');
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    await reloadForNewerBuild(reload);
    expect(reload).not.toHaveBeenCalled();
  });
});

describe('reloadIfReachable', () => {
  it('reloads only when the server can be reached', async () => {
    servePage(undefined);
    expect(await reloadIfReachable(reload)).toBe(false);
    expect(reload).not.toHaveBeenCalled();
    servePage('/assets/index-a.js');
    expect(await reloadIfReachable(reload)).toBe(true);
    await waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
  });
});
