import { type ReactNode, useId } from 'react';
import { classNames } from './class-names.ts';

interface FieldProps {
  label: string;
  /** Whether only assistive technology has the label: where the place says what the field is. */
  isLabelHidden?: boolean | undefined;
  /** Marks the field as required. */
  isRequired?: boolean | undefined;
  error?: string | undefined;
  /** Secondary text below the control. */
  hint?: ReactNode;
  /** Shown to the right of the label. */
  aside?: ReactNode;
  children: (ids: { id: string; describedBy: string | undefined }) => ReactNode;
}

/** The mark of a required field. The control itself says so to assistive technology. */
export function RequiredMark() {
  return (
    <span aria-hidden="true" title="Required" className="text-error-text">
      *
    </span>
  );
}

/** A label, a control and an error message, connected for assistive technology. */
export function Field({
  label,
  isLabelHidden = false,
  isRequired = false,
  error,
  hint,
  aside,
  children,
}: FieldProps) {
  const id = useId();
  const noteId = `${id}-note`;
  const hasNote = error !== undefined || hint !== undefined;
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <div className={isLabelHidden ? 'sr-only' : 'flex min-h-5 items-center justify-between gap-2'}>
        <span className="flex min-w-0 gap-1 text-13 font-medium text-ink-2">
          <label htmlFor={id}>{label}</label>
          {isRequired && <RequiredMark />}
        </span>
        {aside}
      </div>
      {children({ id, describedBy: hasNote ? noteId : undefined })}
      {hasNote && (
        <p
          id={noteId}
          className={classNames('text-12', error !== undefined ? 'text-error-text' : 'text-ink-3')}
        >
          {error ?? hint}
        </p>
      )}
    </div>
  );
}
