import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { sentenceOf } from '../api/failure.ts';
import { useForbiddenReason, useMayChange } from '../api/permission.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { NoticeLine } from './notice-line.tsx';
import { TextField } from './text-field.tsx';
import { useUnsaved } from './unsaved.ts';

interface NameDialogProps {
  title: string;
  subtitle?: string;
  /** The name until now. */
  name: string;
  /** Returns what is wrong with a name; undefined if nothing is. */
  problemOf: (name: string) => string | undefined;
  required?: boolean;
  placeholder?: string;
  hint: ReactNode;
  isSaving: boolean;
  /** The error of the last attempt to save. */
  error: unknown;
  /** Saves the trimmed name. Returns whether it was saved. */
  onSave: (name: string) => Promise<boolean>;
  onClose: () => void;
}

/** A dialog that changes a name. */
export function NameDialog(props: NameDialogProps) {
  const { name: before, isSaving, error, onClose } = props;
  const mayChange = useMayChange();
  const forbidden = useForbiddenReason();
  const formId = useId();
  const [name, setName] = useState(before);
  const problem = props.problemOf(name);
  const isChanged = name.trim() !== before;
  const canSave = isChanged && problem === undefined && !isSaving;
  const close = useUnsaved(isChanged, onClose);

  async function save(event: FormEvent) {
    event.preventDefault();
    if (canSave && (await props.onSave(name.trim()))) onClose();
  }

  return (
    <Dialog
      open
      size="sm"
      onClose={close}
      title={props.title}
      subtitle={props.subtitle}
      footer={
        <Button
          type="submit"
          form={formId}
          variant="primary"
          busy={isSaving}
          disabled={!mayChange || !canSave}
          title={forbidden}
        >
          Save
        </Button>
      }
    >
      <form id={formId} noValidate onSubmit={(event) => void save(event)} className="flex flex-col gap-4">
        <TextField
          label="Name"
          required={props.required}
          placeholder={props.placeholder}
          data-autofocus
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={problem}
          hint={props.hint}
        />
        {error !== undefined && <NoticeLine tone="error">{sentenceOf(error)}</NoticeLine>}
      </form>
    </Dialog>
  );
}
