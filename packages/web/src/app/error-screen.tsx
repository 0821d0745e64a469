import { useEffect, useState } from 'react';
import { isRouteErrorResponse, useRouteError } from 'react-router';
import { Button } from '../ui/button.tsx';
import { CodeMissingError } from '../ui/fetch-code.ts';
import { reloadForNewerBuild, reloadIfReachable } from './newer-build.ts';

function messageOf(error: unknown): string {
  if (isRouteErrorResponse(error)) return `${error.status} ${error.statusText}`;
  return error instanceof Error ? error.message : String(error);
}

/** Asks the user to retry after a screen's code failed to load. */
function CodeMissing() {
  const [state, setState] = useState<'idle' | 'trying' | 'unreachable'>('idle');
  useEffect(() => void reloadForNewerBuild(), []);
  async function tryAgain() {
    setState('trying');
    if (!(await reloadIfReachable())) setState('unreachable');
  }
  return (
    <>
      <p role="status" className="text-14 text-ink-2">
        {state === 'unreachable'
          ? 'The server still cannot be reached. Try again in a moment.'
          : 'Check the connection and try again.'}
      </p>
      <Button
        variant="primary"
        busy={state === 'trying'}
        disabled={state === 'trying'}
        onClick={() => void tryAgain()}
      >
        Try again
      </Button>
    </>
  );
}

/** Shows the error and a button that recovers from it. */
function ErrorMessage() {
  const error = useRouteError();
  return (
    <div className="flex max-w-md flex-col items-start gap-3">
      <h1 className="text-24 font-semibold tracking-tight">Unexpected Application Error!</h1>
      <p className="break-words text-14 text-ink-2">{messageOf(error)}</p>
      {error instanceof CodeMissingError ? (
        <CodeMissing />
      ) : (
        <Button variant="primary" onClick={() => window.location.assign('/dashboard')}>
          Go to the dashboard
        </Button>
      )}
    </div>
  );
}

/** The default error screen, for an unknown address or an unexpected error. */
export function ErrorScreen() {
  return (
    <main className="grid min-h-full place-items-center p-6">
      <ErrorMessage />
    </main>
  );
}

/** The error screen inside the shell, so that the user can go to another screen. */
export function ErrorContent() {
  return (
    <div className="grid place-items-center py-16">
      <ErrorMessage />
    </div>
  );
}
