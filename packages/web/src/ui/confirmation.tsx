import { AlertDialog } from 'radix-ui';
import { useEffect, useSyncExternalStore } from 'react';
import { Button } from './button.tsx';
import { useFocusReturn } from './focus-return.ts';

interface Consequences {
  isNotice?: boolean;
  isDeletion?: boolean;
  detail?: string | undefined;
}

interface Confirmation {
  isOpen: boolean;
  /** The action and its object, such as "Delete view". */
  title: string;
  message: string;
  /** Further consequences, below the message. */
  detail: string | undefined;
  /** Whether the action cannot be undone. */
  isDeletion: boolean;
  /** A notice has one button, which closes it. */
  isNotice: boolean;
  onConfirm: () => void;
  onCancel: () => void;
}

const CLOSED: Confirmation = {
  isOpen: false,
  title: '',
  message: '',
  detail: undefined,
  isDeletion: false,
  isNotice: false,
  onConfirm() {},
  onCancel() {},
};
let current = CLOSED;
const listeners = new Set<() => void>();

function show(next: Confirmation): void {
  current = next;
  for (const listener of listeners) listener();
}

function ask(
  title: string,
  message: string,
  { isNotice = false, isDeletion = false, detail }: Consequences = {},
): Promise<boolean> {
  return new Promise((resolve) => {
    const answer = (value: boolean) => () => {
      show({ ...current, isOpen: false });
      resolve(value);
    };
    show({
      isOpen: true,
      title,
      message,
      detail,
      isNotice,
      isDeletion,
      onConfirm: answer(true),
      onCancel: answer(false),
    });
  });
}

/**
 * Asks the user; resolves to true on Confirm. Needs a `<ConfirmationDialog />` on the page.
 * @param detail further consequences
 */
export function confirm(title: string, message: string, detail?: string): Promise<boolean> {
  return ask(title, message, { detail });
}

/** Asks like `confirm`, about a deletion: the Confirm button is red. @param detail what else is deleted */
export function confirmDeletion(title: string, message: string, detail?: string): Promise<boolean> {
  return ask(title, message, { isDeletion: true, detail });
}

/** Shows a message that needs no decision. */
export async function notice(message: string): Promise<void> {
  await ask('Notice', message, { isNotice: true });
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The confirmation dialog; the app renders it once. */
export function ConfirmationDialog() {
  const { isOpen, title, message, detail, isDeletion, isNotice, onConfirm, onCancel } = useSyncExternalStore(
    subscribe,
    () => current,
  );
  const { remember, restore } = useFocusReturn();
  // Cancel the question when the session that asked it ends.
  useEffect(() => () => current.onCancel(), []);
  return (
    <AlertDialog.Root open={isOpen} onOpenChange={(open) => !open && onCancel()}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="fixed inset-0 z-60 animate-fade bg-scrim" />
        <div className="pointer-events-none fixed inset-0 z-70 flex items-end justify-center p-3 sm:items-center">
          <AlertDialog.Content
            onOpenAutoFocus={remember}
            onCloseAutoFocus={restore}
            className="pointer-events-auto w-full max-w-md animate-rise rounded-md bg-raised p-5 shadow-high"
          >
            <AlertDialog.Title className="wrap-anywhere text-16 font-semibold">{title}</AlertDialog.Title>
            <AlertDialog.Description className="mt-2 wrap-anywhere text-14 text-ink-2">
              {message}
            </AlertDialog.Description>
            {detail !== undefined && <p className="mt-2 text-14 text-ink-2">{detail}</p>}
            <div className="mt-5 flex justify-end gap-2">
              <AlertDialog.Cancel asChild>
                <Button>{isNotice ? 'OK' : 'Cancel'}</Button>
              </AlertDialog.Cancel>
              {!isNotice && (
                <Button variant={isDeletion ? 'danger' : 'primary'} onClick={onConfirm}>
                  Confirm
                </Button>
              )}
            </div>
          </AlertDialog.Content>
        </div>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
