import toast, { ToastBar, Toaster } from 'react-hot-toast';
import { useIsNarrow } from './use-is-narrow.ts';

/** Milliseconds that the product's own toasts stay. */
const DURATION = 2000;

/** Milliseconds that an offer to undo stays. */
const UNDO_DURATION = 8000;

/** Says what was deleted, and offers to bring it back. */
export function offerUndo(what: string, undo: () => void): void {
  toast(
    ({ id }) => (
      <span className="flex items-center gap-3">
        {what}
        <button
          type="button"
          className="rounded-sm font-semibold text-accent-text hover:underline"
          onClick={() => {
            toast.dismiss(id);
            undo();
          }}
        >
          Undo
        </button>
      </span>
    ),
    { duration: UNDO_DURATION },
  );
}

/** Shows a toast; the texts are the specification's. */
export const toasts = {
  info: (message: string) => toast(message, { duration: DURATION }),
  success: (message: string) => toast.success(message, { duration: DURATION }),
  error: (message: string, { duration = DURATION } = {}) => toast.error(message, { duration }),
  /** The same message is not shown twice at a time. */
  errorOnce: (message: string) => toast.error(message, { id: message, duration: DURATION }),
};

/** The specification's duration of a toast's coming and going; the movements are in index.css. */
const COMING = 'toast-in 300ms ease-out forwards';
const GOING = 'toast-out 300ms ease-in forwards';

/** Pixels from the top of the screen: below the alpha banner (20 px), on a phone below the title and cross of a dialog, which fills the screen there. */
const TOP = { wide: 24, narrow: 72 };

/** The place where toasts appear: at the top, since dialogs have their buttons at the foot. The library's own limits hold: 20 at most, 350 px wide, removed 1 s after hiding. */
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
          toast={{ ...shown, style: { ...shown.style, animation: shown.visible ? COMING : GOING } }}
        />
      )}
    </Toaster>
  );
}
