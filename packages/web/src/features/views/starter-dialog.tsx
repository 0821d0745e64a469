import { type CreateView, isAvailable, type ReadyView, toCreateView, unmetNeeds } from '@datadeck/contract';
import { useId, useState } from 'react';
import { sentenceOf } from '../../api/failure.ts';
import type { Provider, View } from '../../api/models.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { NoticeLine } from '../../ui/notice-line.tsx';
import { toasts } from '../../ui/toast.tsx';
import { connectedProviders, providersFor } from '../connections/connected-providers.ts';
import { draftsOf, parametersOf } from '../expressions/parameter-fields.tsx';
import { ParameterInput } from '../expressions/parameter-input.tsx';
import { useCreateViewMutation } from './views-api.ts';

/** Returns what to connect before the view is saved, so that it reads that, too; undefined when nothing is missing. */
function missingFor(starter: ReadyView, providers: readonly Provider[]): string | undefined {
  const connected = connectedProviders(providers);
  const missing = unmetNeeds(starter, connected).map((need) => providersFor(need, providers));
  if (missing.length === 0) return undefined;
  const first = `Connect ${missing.join(', and ')} first`;
  return isAvailable(starter, connected)
    ? `${first} to have that in the view, too: it reads what is connected when you save it.`
    : `${first}: the view reads what is connected when you save it.`;
}

function Sources({
  bases,
  providers,
}: {
  bases: NonNullable<CreateView['bases']>;
  providers: readonly Provider[];
}) {
  const entityOf = (providerId: string, entityLabel: string) => {
    const provider = providers.find(({ key }) => key === providerId);
    const title = provider?.entities.find(({ id }) => id === entityLabel)?.title ?? entityLabel;
    return provider ? `${title} · ${provider.title}` : title;
  };
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-1 rounded-sm bg-sunken p-3">
      {bases.map(({ name, providerId, entityLabel }) => (
        <div key={name} className="contents">
          <dt className="font-mono text-12 leading-5 text-ink-2">${name}</dt>
          <dd className="text-13">{entityOf(providerId, entityLabel)}</dd>
        </div>
      ))}
    </dl>
  );
}

interface StarterDialogProps {
  starter: ReadyView;
  providers: readonly Provider[];
  onClose: () => void;
  onCreated: (view: View) => void;
}

/** Saves a ready-made view over the connected providers, with the values that its parameters have by default. */
export function StarterDialog({ starter, providers, onClose, onCreated }: StarterDialogProps) {
  const formId = useId();
  const [drafts, setDrafts] = useState(() => draftsOf(starter.parameters ?? []));
  const parameters = parametersOf(drafts);
  const [createView, { isLoading, error: failure }] = useCreateViewMutation();
  const missing = missingFor(starter, providers);

  const written = toCreateView(starter, connectedProviders(providers));
  const canSave = parameters !== undefined && written !== undefined && !isLoading;

  async function save() {
    if (!parameters || !written) return;
    const { jsonNataQuery: expression, ...texts } = written;
    const { data, error } = await createView({
      ...texts,
      expression,
      ...(parameters.length > 0 && { parameters }),
    });
    if (error) {
      toasts.error('View creation was unsuccessful');
      return;
    }
    toasts.success('View was created successfully');
    onClose();
    onCreated(data);
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={starter.title}
      subtitle="Ready-made view"
      footer={
        <Button
          type="submit"
          form={formId}
          variant="primary"
          busy={isLoading}
          disabled={!canSave}
          title={written ? undefined : missing}
        >
          Save
        </Button>
      }
    >
      <form
        id={formId}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
        className="flex flex-col gap-4"
      >
        {failure !== undefined && <NoticeLine tone="error">{sentenceOf(failure)}</NoticeLine>}
        {missing !== undefined && <NoticeLine tone="info">{missing}</NoticeLine>}
        <p className="text-14 text-ink-2">{starter.description}</p>
        {written?.bases && <Sources bases={written.bases} providers={providers} />}
        {drafts.map((draft, index) => (
          <ParameterInput
            key={draft.name}
            label={`Default of $${draft.name}`}
            parameter={draft}
            text={draft.text}
            onChange={(text) => setDrafts(drafts.map((one, at) => (at === index ? { ...one, text } : one)))}
          />
        ))}
        {written && <CodeBlock label="Query" code={written.jsonNataQuery} />}
      </form>
    </Dialog>
  );
}
