import { LIMITS, saveQuerySchema } from '@datadeck/contract';
import { zodResolver } from '@hookform/resolvers/zod';
import { useId } from 'react';
import { Controller, useForm } from 'react-hook-form';
import { z } from 'zod';
import { errorOf } from '../../api/failure.ts';
import { expressionSchemas, type SaveQuery } from '../../api/models.ts';
import { useForbiddenReason, useMayChange } from '../../api/permission.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { DebouncedTextField } from '../../ui/debounced-text-field.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { canSave } from '../../ui/form-state.ts';
import { NoticeLine } from '../../ui/notice-line.tsx';
import { toasts } from '../../ui/toast.tsx';
import { useUnsaved } from '../../ui/unsaved.ts';
import { useSaveQueryMutation } from './queries-api.ts';

/** Debounce delay of the title, ms. */
const TITLE_DEBOUNCE = 500;

const formSchema = z.object({ title: saveQuerySchema.shape.title, expression: expressionSchemas.query });

interface SaveQueryDialogProps {
  query: string;
  onClose: () => void;
}

/** The 'Save Query' dialog, which asks for a title. */
export function SaveQueryDialog({ query, onClose }: SaveQueryDialogProps) {
  const mayChange = useMayChange();
  const forbidden = useForbiddenReason();
  const formId = useId();
  const [saveQuery, { isLoading }] = useSaveQueryMutation();
  const form = useForm<SaveQuery>({
    mode: 'onTouched',
    resolver: zodResolver(formSchema),
    defaultValues: { title: '', expression: query },
  });
  // Read during rendering: react-hook-form updates only the state that a render has read.
  const { isDirty, errors } = form.formState;
  // The query is not a form field, so show its problem before the user types.
  const tooLong = expressionSchemas.query.safeParse(query).error?.issues[0]?.message;
  const problem = errors.expression?.message ?? tooLong;
  const close = useUnsaved(isDirty, onClose);

  async function save(values: SaveQuery) {
    const { error } = await saveQuery(values);
    if (error) {
      const { fields, code, message } = errorOf(error) ?? {};
      if (fields?.title) form.setError('title', { message: fields.title });
      if (code === 'expression-invalid') form.setError('expression', { message: message ?? '' });
      toasts.error('Saving query was unsuccessful');
      return;
    }
    toasts.success('JsonNata query was saved successfully');
    onClose();
  }

  return (
    <Dialog
      open
      size="sm"
      onClose={close}
      title="Save Query"
      footer={
        <Button
          type="submit"
          form={formId}
          variant="primary"
          busy={isLoading}
          disabled={!mayChange || isLoading || !canSave(form.formState)}
          title={forbidden}
        >
          Save
        </Button>
      }
    >
      <form id={formId} noValidate onSubmit={form.handleSubmit(save)} className="flex flex-col gap-4">
        <Controller
          name="title"
          control={form.control}
          render={({ field, fieldState }) => (
            <DebouncedTextField
              label="Title"
              required
              data-autofocus
              delay={TITLE_DEBOUNCE}
              value={field.value}
              onChange={(value) => {
                field.onChange(value);
              }}
              onBlur={field.onBlur}
              error={fieldState.isTouched || fieldState.isDirty ? fieldState.error?.message : undefined}
              hint={`Up to ${LIMITS.queryTitle} characters`}
            />
          )}
        />
        <CodeBlock label="Query" code={query} />
        {problem !== undefined && <NoticeLine tone="error">Query: {problem}</NoticeLine>}
      </form>
    </Dialog>
  );
}
