import { LIMITS, type Parameter, type ViewDisplay } from '@datadeck/contract';
import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useId, useState } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { sentenceOf } from '../../api/failure.ts';
import type { Template, View } from '../../api/models.ts';
import { useForbiddenReason, useMayChange } from '../../api/permission.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { NoticeLine } from '../../ui/notice-line.tsx';
import { TextArea, TextField } from '../../ui/text-field.tsx';
import { toasts } from '../../ui/toast.tsx';
import { useUnsaved } from '../../ui/unsaved.ts';
import { fieldErrorsOf, showFieldErrors } from './server-errors.ts';
import { viewTexts } from './view-fields.tsx';
import { useCreateViewMutation } from './views-api.ts';

/** The expression of a view that returns the rows as they are. */
export const ALL_ROWS = '$';

const { title, description, expression } = viewTexts;
const formSchema = z.object({ title, description });
type Form = z.infer<typeof formSchema>;
const FIELDS = ['title', 'description'] as const;
const NO_TEXTS: Form = { title: '', description: '' };

interface SaveAsViewDialogProps {
  template: Template | undefined;
  query: string;
  /** Selects rows of the template; empty: all. */
  search?: string;
  /** The query's inputs, which the view declares as parameters. */
  parameters?: readonly Parameter[];
  /** How the view is shown; absent: as each reader's browser shows views. */
  display?: ViewDisplay | undefined;
  providerTitle: string;
  subtitle?: string;
  /** Texts with which the fields begin. */
  suggested?: Form;
  /** Called with the saved view, before the dialog closes. */
  onSaved?: (view: View) => void;
  onClose: () => void;
}

/** Returns what to do before the view can be saved; null when nothing is missing. */
function missingFor(template: Template | undefined, query: string): string | null {
  if (!template) return 'Nothing can be saved yet: choose a template on the Templates step first.';
  if (query.trim() === '') return 'Nothing can be saved yet: write an expression, or choose a query, first.';
  return null;
}

/** Returns the expression's error. It is shown at once, because the expression was written outside this dialog. */
function useQueryError(query: string) {
  const [error, setError] = useState<string>();
  useEffect(() => {
    let isCurrent = true;
    // Without an expression, `missingFor` already says what to do.
    if (query.trim() === '') return;
    void expression.safeParseAsync(query).then((checked) => {
      if (isCurrent) setError(checked.error?.issues[0]?.message);
    });
    return () => {
      isCurrent = false;
    };
  }, [query]);
  return [error, setError] as const;
}

/** The 'Save as View' dialog: saves the query on the selected template under a name. */
export function SaveAsViewDialog({
  template,
  query,
  search = '',
  parameters = [],
  display,
  providerTitle,
  subtitle,
  suggested = NO_TEXTS,
  onSaved,
  onClose,
}: SaveAsViewDialogProps) {
  const mayChange = useMayChange();
  const forbidden = useForbiddenReason();
  const formId = useId();
  const [createView, { isLoading, error: failure }] = useCreateViewMutation();
  const form = useForm<Form>({
    mode: 'onTouched',
    resolver: zodResolver(formSchema),
    defaultValues: suggested,
  });
  const { errors, isDirty, isValid } = form.formState;
  const [isEdited, setIsEdited] = useState(false);
  const [queryError, setQueryError] = useQueryError(query);
  // As specified, the button is enabled until a field is edited, although both fields are empty.
  const hasErrors = (isEdited && !isValid) || queryError !== undefined;
  const missing = missingFor(template, query);

  async function save() {
    const isFilled = await form.trigger(undefined, { shouldFocus: true });
    if (!isFilled || !template || missing !== null) return;
    if (!(await expression.safeParseAsync(query)).success) return;
    const values = form.getValues();
    const { data, error } = await createView({
      templateKey: template.templateKey,
      providerId: template.providerId,
      entityLabel: template.entity,
      expression: query,
      title: values.title.trim(),
      description: values.description.trim(),
      basedOn: undefined,
      ...(search !== '' && { search }),
      ...(parameters.length > 0 && { parameters: [...parameters] }),
      ...(display && { display }),
    });
    if (error) {
      showFieldErrors(error, FIELDS, form.setError);
      setQueryError(fieldErrorsOf(error).expression);
      toasts.error('Creating view was unsuccessful');
      return;
    }
    toasts.success('Custom view created successfully');
    onSaved?.(data);
    onClose();
  }

  const close = useUnsaved(isDirty, onClose);
  return (
    <Dialog
      open
      onClose={close}
      title="Save as View"
      subtitle={subtitle}
      footer={
        <Button
          type="submit"
          form={formId}
          variant="primary"
          busy={isLoading}
          disabled={!mayChange || isLoading || hasErrors}
          title={forbidden}
          // Keep the focus in the box: a validation message on blur would move the button away from the pointer.
          onMouseDown={(event) => event.preventDefault()}
        >
          Save
        </Button>
      }
    >
      <form
        id={formId}
        noValidate
        onChange={() => setIsEdited(true)}
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
        className="flex flex-col gap-4"
      >
        {failure !== undefined && <NoticeLine tone="error">{sentenceOf(failure)}</NoticeLine>}
        <TextField
          label="Name"
          required
          data-autofocus
          maxLength={LIMITS.viewTitle}
          error={errors.title?.message}
          {...form.register('title')}
        />
        <TextArea
          label="Description"
          required
          maxLength={LIMITS.viewDescription}
          error={errors.description?.message}
          {...form.register('description')}
        />
        <dl className="grid grid-cols-2 gap-3 rounded-sm bg-sunken p-3 sm:grid-cols-3">
          {[
            ['Template ID', template?.id ?? ''],
            ['Provider', providerTitle],
            ['Entity Label', template?.entity ?? ''],
          ].map(([name, value]) => (
            <div key={name} className="min-w-0">
              <dt className="text-12 text-ink-3">{name}</dt>
              <dd title={value} className="truncate text-13">
                {value}
              </dd>
            </div>
          ))}
        </dl>
        {search !== '' && <CodeBlock label="Search" code={search} />}
        {parameters.length > 0 && (
          <p className="text-12 text-ink-3">
            The view asks for{' '}
            {parameters.map(({ name, default: value }, index) => (
              <span key={name}>
                {index > 0 && ', '}
                <code className="font-mono text-ink-2">${name}</code>
                {value !== null && ` (${String(value)} by default)`}
              </span>
            ))}
            .
          </p>
        )}
        <CodeBlock label="Query" code={query} error={queryError} />
        {missing !== null && <NoticeLine tone="info">{missing}</NoticeLine>}
      </form>
    </Dialog>
  );
}
