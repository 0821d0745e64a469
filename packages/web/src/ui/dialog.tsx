import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { type ComponentProps, type ReactNode, useLayoutEffect, useRef } from 'react';
import { classNames } from './class-names.ts';
import { useFocusReturn } from './focus-return.ts';
import { IconButton } from './icon-button.tsx';

const WIDTHS = { sm: 'sm:max-w-md', md: 'sm:max-w-xl', lg: 'sm:max-w-3xl', xl: 'sm:max-w-5xl' };

const FOCUSABLE =
  'button:not(:disabled), input:not(:disabled), textarea:not(:disabled), a[href], [tabindex="0"]';

interface DialogProps {
  open: boolean;
  /** Called on Escape, the close button or a click outside. */
  onClose: () => void;
  title: ReactNode;
  /** Says in small letters above the title what the dialog shows; part of its name. */
  kicker?: string;
  /** Shown below the title. */
  subtitle?: ReactNode;
  /** Shown to the left of the close button. */
  aside?: ReactNode;
  footer?: ReactNode;
  size?: keyof typeof WIDTHS;
  /** Shows up to three lines of the title instead of one. */
  wrapsTitle?: boolean;
  children: ReactNode;
}

/** Returns the full text of a title that may be truncated, for its tooltip. */
const asText = (content: ReactNode) => (typeof content === 'string' ? content : undefined);

/** Scrolls the dialog's content. Becomes focusable when nothing in it is, so that the keyboard can scroll it. */
function ScrollBody({ children }: { children: ReactNode }) {
  const body = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = body.current;
    if (!element) return;
    const needsFocus = element.scrollHeight > element.clientHeight && !element.querySelector(FOCUSABLE);
    if (needsFocus) element.tabIndex = 0;
    else element.removeAttribute('tabindex');
  });
  return (
    <div ref={body} className="relative min-h-0 flex-1 overflow-y-auto p-5">
      {children}
    </div>
  );
}

/**
 * Restores the intended focus after Radix moves it to the dialog. Radix does so when an element in the dialog, such as
 * a validation message, is removed while a control loses the focus.
 */
function useIntendedFocus(): Pick<ComponentProps<'div'>, 'onBlur' | 'onFocus'> {
  const intended = useRef<EventTarget | null>(null);
  return {
    onBlur({ target, currentTarget, relatedTarget }) {
      if (target === currentTarget) return;
      intended.current = relatedTarget;
      setTimeout(() => (intended.current = null));
    },
    onFocus({ target, currentTarget }) {
      const to = intended.current;
      // Radix may move the focus once per removed element; a microtask runs after the last move.
      if (target === currentTarget && to instanceof HTMLElement) queueMicrotask(() => to.focus());
    },
  };
}

/** A modal dialog, full screen on phones. On close, the focus returns to the element that had it before. */
export function Dialog({
  open,
  onClose,
  title,
  kicker,
  subtitle,
  aside,
  footer,
  size = 'md',
  wrapsTitle = false,
  children,
}: DialogProps) {
  const { remember, restore } = useFocusReturn();
  const intendedFocus = useIntendedFocus();
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-50 animate-fade bg-scrim" />
        <div className="pointer-events-none fixed inset-0 z-50 flex sm:items-center sm:justify-center sm:p-6">
          <Radix.Content
            aria-describedby={undefined}
            {...intendedFocus}
            onOpenAutoFocus={(event) => {
              remember();
              // Focus the first box of a form; scroll any other dialog to its top.
              event.preventDefault();
              const content = event.currentTarget;
              if (!(content instanceof HTMLElement)) return;
              const first = content.querySelector('input[data-autofocus]');
              (first instanceof HTMLElement ? first : content).focus();
            }}
            onCloseAutoFocus={restore}
            className={classNames(
              'pointer-events-auto flex outline-none max-h-full w-full animate-rise flex-col bg-raised shadow-high sm:rounded-md',
              WIDTHS[size],
            )}
          >
            <header className="flex items-center gap-3 border-b px-5 py-3">
              <div className="min-w-0 flex-1">
                <Radix.Title
                  dir="auto"
                  title={asText(title)}
                  className={classNames(
                    'text-left text-16 font-semibold',
                    wrapsTitle ? 'line-clamp-3 wrap-anywhere' : 'truncate',
                  )}
                >
                  {kicker !== undefined && (
                    <>
                      <span className="block text-12 font-medium text-ink-3">{kicker}</span>{' '}
                    </>
                  )}
                  {title}
                </Radix.Title>
                {subtitle !== undefined && (
                  <div dir="auto" title={asText(subtitle)} className="truncate text-left text-13 text-ink-3">
                    {subtitle}
                  </div>
                )}
              </div>
              {aside}
              <Radix.Close asChild>
                <IconButton label="Close" icon={<X size={16} />} />
              </Radix.Close>
            </header>
            <ScrollBody>{children}</ScrollBody>
            {footer !== undefined && (
              <footer className="flex flex-wrap items-center justify-end gap-2 border-t px-5 py-3">
                {footer}
              </footer>
            )}
          </Radix.Content>
        </div>
      </Radix.Portal>
    </Radix.Root>
  );
}
