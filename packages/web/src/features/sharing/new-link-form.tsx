import { type CreatedToken, SHARE_LIMITS } from '@datadeck/contract';
import { ChevronRight } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { type UseFormReturn, useForm } from 'react-hook-form';
import { sentenceOf } from '../../api/failure.ts';
import { useMayChange } from '../../api/permission.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { canSave } from '../../ui/form-state.ts';
import { NoticeLine } from '../../ui/notice-line.tsx';
import { CONTROL, TextArea, TextField } from '../../ui/text-field.tsx';
import { useUnsaved } from '../../ui/unsaved.ts';
import { givenParameters, readParameter } from '../expressions/parameter-value.ts';
import { useCreateTokenMutation } from '../tokens/tokens-api.ts';
import { FixedValues } from './fixed-values.tsx';
import { type LinkForm, linkRequest, linkResolver, NEW_LINK } from './link-request.ts';
import { leftOutOf, meaningOf } from './link-words.ts';
import { PasswordField } from './password-field.tsx';
import type { Shared } from './shared-subject.ts';

/** Offered lifetimes by days. */
const LIFETIMES = [
  [1, '1 day'],
  [7, '7 days'],
  [30, '30 days'],
  [90, '90 days'],
  [366, '1 year'],
] as const;

type Form = UseFormReturn<LinkForm>;

interface NewLinkFormProps {
  shared: Shared;
  /** Chooses who it is shared with. */
  audience: ReactNode;
  onCreated: (created: CreatedToken) => void;
  /** Returns to the links that there are already. */
  onBack: (() => void) | undefined;
  onClose: () => void;
}

/** Says what the link opens, and what it leaves out. */
function Meaning({ shared }: { shared: Shared }) {
  const details = [leftOutOf(shared), shared.narrowed].filter((text) => text !== undefined);
  return (
    <NoticeLine tone="info">
      {meaningOf(shared)}
      {details.length > 0 && <span className="font-medium text-ink"> {details.join(' ')}</span>}
    </NoticeLine>
  );
}

/** What few links need. Opens by itself when a value in it is refused. */
function More({ form }: { form: Form }) {
  const [isOpen, setIsOpen] = useState(false);
  const { rowBudget, sites } = form.formState.errors;
  return (
    <details
      open={isOpen || rowBudget !== undefined || sites !== undefined}
      onToggle={(event) => setIsOpen(event.currentTarget.open)}
      className="group"
    >
      <summary className="flex w-fit cursor-pointer list-none items-center gap-1 rounded-sm text-13 text-ink-2 hover:text-ink touch:min-h-10 [&::-webkit-details-marker]:hidden">
        <ChevronRight aria-hidden="true" size={14} className="group-open:rotate-90" />
        More
      </summary>
      <div className="mt-3 flex flex-col gap-4">
        <TextField
          label="Rows in all"
          required
          inputMode="numeric"
          className="tabular-nums"
          hint="Each row that is shown or downloaded counts, each time. After that the link shows no more rows."
          error={rowBudget?.message}
          {...form.register('rowBudget')}
        />
        <TextArea
          label="Sites that may show it in a frame"
          rows={2}
          spellCheck={false}
          className="font-mono"
          placeholder="https://wiki.example.org"
          hint={`One a line, up to ${SHARE_LIMITS.frameAncestors}. Without one, no other site can show it.`}
          error={sites?.message}
          {...form.register('sites')}
        />
      </div>
    </details>
  );
}

/** Asks for whom a new link is, until when, and with which values. */
export function NewLinkForm({ shared, audience, onCreated, onBack, onClose }: NewLinkFormProps) {
  const mayChange = useMayChange();
  const formId = useId();
  const [create, creating] = useCreateTokenMutation();
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(shared.inputs.map(({ name }) => [name, shared.textOf(name)])),
  );
  const form = useForm<LinkForm>({
    mode: 'onTouched',
    resolver: linkResolver(shared),
    defaultValues: NEW_LINK,
  });
  const { isDirty, errors } = form.formState;
  const close = useUnsaved(isDirty, onClose);
  const textOf = (name: string) => texts[name] ?? '';
  // A value that cannot be read would be left out, and the link would show more than intended.
  const areReadable = shared.inputs.every(
    (input) => readParameter(input, textOf(input.name)).problem === undefined,
  );

  async function submit(values: LinkForm) {
    if (!areReadable) return;
    const parameters = givenParameters(shared.inputs, textOf);
    const { data } = await create(linkRequest(shared, values, parameters));
    if (data) onCreated(data);
  }

  return (
    <Dialog
      open
      onClose={close}
      title="Share"
      subtitle={shared.title}
      footer={
        <>
          {onBack && (
            <Button variant="ghost" className="mr-auto" onClick={onBack}>
              Back to the links
            </Button>
          )}
          <Button
            type="submit"
            form={formId}
            variant="primary"
            busy={creating.isLoading}
            disabled={!mayChange || creating.isLoading || !areReadable || !canSave(form.formState)}
          >
            Create link
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={form.handleSubmit(submit)} className="flex flex-col gap-4">
        {audience}
        {creating.error !== undefined && <NoticeLine tone="error">{sentenceOf(creating.error)}</NoticeLine>}
        <Meaning shared={shared} />
        <div className="grid gap-4 sm:grid-cols-[2fr_1fr]">
          <TextField
            label="Who gets the link"
            required
            data-autofocus
            maxLength={50}
            placeholder="Design team"
            hint="Only you see this name"
            error={errors.name?.message}
            {...form.register('name')}
          />
          <Field label="Ends after">
            {({ id }) => (
              <select
                id={id}
                className={`${CONTROL} h-8 touch:h-10 bg-surface!`}
                {...form.register('expiresInDays', { valueAsNumber: true })}
              >
                {LIFETIMES.map(([days, label]) => (
                  <option key={days} value={days}>
                    {label}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </div>
        <FixedValues
          inputs={shared.inputs}
          texts={texts}
          onText={(name, text) => setTexts((known) => ({ ...known, [name]: text }))}
        />
        <PasswordField
          label="Password"
          placeholder="None"
          hint="Readers enter it before they see the page. Tell it to them by another way than the link."
          error={errors.password?.message}
          {...form.register('password')}
        />
        <More form={form} />
      </form>
    </Dialog>
  );
}
