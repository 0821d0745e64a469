import toast, { ToastBar, Toaster } from 'react-hot-toast';
import { useIsNarrow } from './use-is-narrow.ts';

/** Duration of the product's own toasts, ms. */
const DURATION = 2000;

/** Duration of a toast that offers an action, ms. */
const OFFER_DURATION = 8000;

/** Shows what was deleted, with an Undo button. */
export const offerUndo = (what: string, undo: () => void): void =>
  offer(what, [{ label: 'Undo', act: undo }]);

/** Shows what was done, with a button for each step that may follow. */
export function offer(what: string, actions: readonly { label: string; act: () => void }[]): void {
  toast(
    ({ id }) => (
      <span className="flex items-center gap-3">
        <span className="min-w-0 wrap-anywhere">{what}</span>
        {actions.map(({ label, act }) => (
          <button
            key={label}
            type="button"
            className="shrink-0 rounded-sm font-semibold text-accent-text hover:underline"
            onClick={() => {
              toast.dismiss(id);
              act();
            }}
          >
            {label}
          </button>
        ))}
      </span>
    ),
    { duration: OFFER_DURATION },
  );
}

/** Shows a toast of a given type. */
export const toasts = {
  info: (message: string) => toast(message, { duration: DURATION }),
  /** Shows a success. A later toast with the same id replaces it. */
  success: (message: string, id?: string) =>
    toast.success(message, { duration: DURATION, ...(id !== undefined && { id }) }),
  error: (message: string, { duration = DURATION, id }: { duration?: number; id?: string } = {}) =>
    toast.error(message, { duration, ...(id !== undefined && { id }) }),
  dismiss: (id: string) => toast.dismiss(id),
  /** Shows an error; the same message appears only once at a time. */
  errorOnce: (message: string) => toast.error(message, { id: message, duration: DURATION }),
};

/** Animations of a toast; the specification sets their duration, index.css defines them. */
const ENTER_ANIMATION = 'toast-in 300ms ease-out forwards';
const EXIT_ANIMATION = 'toast-out 300ms ease-in forwards';

/** Distance from the top of the screen, px: below the alpha banner (20 px), on phones below a full-screen dialog's title. */
const TOP = { wide: 24, narrow: 72 };

/**
 * The container of the toasts, at the top, since dialogs have their buttons at the bottom. The library's limits apply:
 * 20 toasts at most, 350 px wide, removed 1 s after hiding.
 */
export function Toasts() {
  const isNarrow = useIsNarrow();
  return (
    <Toaster
      position="top-center"
      gutter={4}
      containerClassName="print:hidden"
      containerStyle={{ top: isNarrow ? TOP.narrow : TOP.wide }}
      toastOptions={{
        removeDelay: 1000,
        style: {
          maxWidth: 350,
          padding: '4px 10px',
          background: 'var(--raised)',
          color: 'var(--ink)',
          borderRadius: 10,
          boxShadow: 'var(--elevation-high)',
          fontSize: 13,
        },
        success: { iconTheme: { primary: 'var(--success)', secondary: 'var(--raised)' } },
        error: { iconTheme: { primary: 'var(--error)', secondary: 'var(--raised)' } },
      }}
    >
      {(shown) => (
        <ToastBar
          toast={{
            ...shown,
            style: { ...shown.style, animation: shown.visible ? ENTER_ANIMATION : EXIT_ANIMATION },
          }}
        />
      )}
    </Toaster>
  );
}
