import type { Starter } from '@datadeck/contract';
import { useId, useState } from 'react';
import { sentenceOf } from '../../api/failure.ts';
import type { Provider, View } from '../../api/models.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { NoticeLine } from '../../ui/notice-line.tsx';
import { toasts } from '../../ui/toast.tsx';
import { shownAccounts } from '../connections/account-name.ts';
import { draftsOf, parametersOf } from '../expressions/parameter-fields.tsx';
import { ParameterInput } from '../expressions/parameter-input.tsx';
import { useCreateViewMutation } from './views-api.ts';

/** Returns the starter's parameters; those that are the user's own account have it as their default. */
function ownParameters({ parameters, ownAccounts }: Starter, providers: readonly Provider[]) {
  return parameters.map((parameter) => {
    const provider = providers.find(({ key }) => key === ownAccounts[parameter.name]);
    const [account] = provider ? shownAccounts(provider) : [];
    return { ...parameter, default: account?.account ?? parameter.default };
  });
}

/** Returns what must be connected before the view has rows; undefined when nothing is missing. */
function missingFor({ bases }: Starter, providers: readonly Provider[]): string | undefined {
  const missing = providers.filter(
    ({ key, isConnected }) => !isConnected && bases.some(({ providerId }) => providerId === key),
  );
  if (missing.length === 0) return undefined;
  const titles = missing.map(({ title }) => title).join(' and ');
  return `The view has all its rows once ${titles} is connected and synchronized.`;
}

function Sources({ starter, providers }: { starter: Starter; providers: readonly Provider[] }) {
  const entityOf = (providerId: string, entityLabel: string) => {
    const provider = providers.find(({ key }) => key === providerId);
    const title = provider?.entities.find(({ id }) => id === entityLabel)?.title ?? entityLabel;
    return provider ? `${title} · ${provider.title}` : title;
  };
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-1 rounded-sm bg-sunken p-3">
      {starter.bases.map(({ name, providerId, entityLabel }) => (
        <div key={name} className="contents">
          <dt className="font-mono text-12 leading-5 text-ink-2">${name}</dt>
          <dd className="text-13">{entityOf(providerId, entityLabel)}</dd>
        </div>
      ))}
    </dl>
  );
}

interface StarterDialogProps {
  starter: Starter;
  providers: readonly Provider[];
  onClose: () => void;
  onCreated: (view: View) => void;
}

/** Saves a ready-made view with the values that its parameters have by default. */
export function StarterDialog({ starter, providers, onClose, onCreated }: StarterDialogProps) {
  const formId = useId();
  const [drafts, setDrafts] = useState(() => draftsOf(ownParameters(starter, providers)));
  const parameters = parametersOf(drafts);
  const [createView, { isLoading, error: failure }] = useCreateViewMutation();
  const missing = missingFor(starter, providers);

  async function save() {
    if (!parameters) return;
    const { title, description, jsonNataQuery: expression, bases } = starter;
    const { name: _name, ...first } = bases[0];
    const { data, error } = await createView({
      title,
      description,
      expression,
      ...first,
      bases: [...bases],
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
          disabled={isLoading || !parameters}
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
        <Sources starter={starter} providers={providers} />
        {drafts.map((draft, index) => (
          <ParameterInput
            key={draft.name}
            label={`Default of $${draft.name}`}
            parameter={draft}
            text={draft.text}
            onChange={(text) => setDrafts(drafts.map((one, at) => (at === index ? { ...one, text } : one)))}
          />
        ))}
        <CodeBlock label="Query" code={starter.jsonNataQuery} />
      </form>
    </Dialog>
  );
}
