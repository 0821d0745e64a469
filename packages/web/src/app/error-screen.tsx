import { isRouteErrorResponse, useRouteError } from 'react-router';
import { Button } from '../ui/button.tsx';

function messageOf(error: unknown): string {
  if (isRouteErrorResponse(error)) return `${error.status} ${error.statusText}`;
  return error instanceof Error ? error.message : String(error);
}

/** The default error screen: an address that does not exist, or a fault of the app. */
export function ErrorScreen() {
  const error = useRouteError();
  return (
    <main className="grid min-h-full place-items-center p-6">
      <div className="flex max-w-md flex-col items-start gap-3">
        <h1 className="text-24 font-semibold tracking-tight">Unexpected Application Error!</h1>
        <p className="break-words text-14 text-ink-2">{messageOf(error)}</p>
        <Button variant="primary" onClick={() => window.location.assign('/dashboard')}>
          Go to the dashboard
        </Button>
      </div>
    </main>
  );
}
