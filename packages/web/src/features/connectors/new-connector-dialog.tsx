import {
  CONNECTOR_BOUNDS,
  type Connectors,
  type DocumentStart,
  type ManifestAddress,
  type ManifestStream,
  type StartedDocument,
} from '@datadeck/contract';
import { DOCUMENT_LIMITS } from '@datadeck/contract/connector-document';
import { type FormEvent, useEffect, useId, useState } from 'react';
import { useNavigate } from 'react-router';
import { PATHS } from '../../address/paths.ts';
import { errorOf, sentenceOf } from '../../api/failure.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { NoticeLine } from '../../ui/notice-line.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { useUnsaved } from '../../ui/unsaved.ts';
import { keyOf, keyProblem } from './connector-words.ts';
import { useSaveConnectorMutation, useStartConnectorMutation } from './connectors-api.ts';
import { readDocument, textAt } from './document/document-text.ts';
import { renameKey } from './document/rename.ts';
import { LeftOutStreams } from './left-out-streams.tsx';
import { type AddressValues, ManifestAddresses } from './manifest-addresses.tsx';
import { entitiesOf, ManifestChoice } from './manifest-choice.tsx';
import { NO_INPUT, StartFields, type StartInput } from './start-fields.tsx';
import { STARTS, type Start } from './starts.ts';

/** What a manifest needs beside its text: the chosen streams, and the values on which its addresses depend. */
interface ManifestInput {
  streams: string[] | undefined;
  values: AddressValues | undefined;
}

/** Returns what is sent to start a document. */
function requestOf(
  start: Start,
  { key, title, address, access, header, secret, answer, description, manifest, shipped, text }: StartInput,
  { streams, values }: ManifestInput,
): DocumentStart {
  switch (start) {
    case 'example':
      return { from: start, key, title, address, answer };
    case 'address':
      return {
        from: start,
        key,
        title,
        address,
        header: access === 'header' ? header : '',
        secret: access === 'none' ? '' : secret,
      };
    case 'openapi':
      return { from: start, key, description };
    case 'manifest':
      return { from: start, key, title, manifest, ...(streams && { streams }), ...(values && { values }) };
    case 'shipped':
      return { from: start, key: shipped };
    case 'document':
      return { from: start, text };
  }
}

/** Returns what is missing or wrong, by field, before anything is sent. */
function errorsOf(start: Start, input: StartInput, taken: readonly string[]): Record<string, string> {
  const errors: Record<string, string> = {};
  const mustHave = (...names: (keyof StartInput)[]) => {
    for (const name of names) if (input[name].trim() === '') errors[name] = 'Required';
  };
  if (start === 'example') mustHave('title', 'address', 'answer');
  if (start === 'address') {
    mustHave('title', 'address');
    if (input.access === 'header') mustHave('header');
    if (input.access !== 'none') mustHave('secret');
  }
  if (start === 'manifest') mustHave('title', 'manifest');
  if (start === 'openapi') mustHave('description');
  if (start === 'shipped') mustHave('shipped');
  if (start === 'document') mustHave('text');
  const wrong = start === 'document' ? undefined : keyProblem(input.key, taken);
  if (wrong !== undefined) errors.key = wrong;
  return errors;
}

/** Maximum length of a pasted text, UTF-16 units. */
const { document, example, manifest } = CONNECTOR_BOUNDS;
const MAX_LENGTH: Record<Start, number> = {
  example,
  address: example,
  openapi: example,
  manifest,
  shipped: document,
  document,
};

interface NewConnectorDialogProps {
  start: Start;
  loaded: Connectors;
  onClose: () => void;
}

/** Starts a connector: writes its first document, saves it as a draft and opens the builder. */
export function NewConnectorDialog({ start: first, loaded, onClose }: NewConnectorDialogProps) {
  const formId = useId();
  const navigate = useNavigate();
  const [start, setStart] = useState(first);
  const [input, setInput] = useState(NO_INPUT);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [failure, setFailure] = useState<string>();
  /** The streams of the manifest, after an import; the chosen ones if they do not all fit. */
  const [streams, setStreams] = useState<readonly ManifestStream[]>([]);
  const [chosen, setChosen] = useState<string[]>();
  /** The values on which the addresses of the manifest depend, after an import; those that are entered. */
  const [addresses, setAddresses] = useState<readonly ManifestAddress[]>([]);
  const [values, setValues] = useState<AddressValues>();
  const [created, setCreated] = useState<{ key: string } & Omit<StartedDocument, 'document'>>();
  const [begin, { isLoading: isBeginning }] = useStartConnectorMutation();
  const [save, { isLoading: isSaving }] = useSaveConnectorMutation();
  const isBusy = isBeginning || isSaving;
  const isDirty =
    created === undefined && Object.entries(input).some(([name, value]) => name !== 'access' && value !== '');
  const close = useUnsaved(isDirty, onClose);
  // After the effect of `useUnsaved`: what was entered is saved, so leaving asks nothing.
  useEffect(() => {
    if (created)
      void navigate(`${PATHS.connectors}/${created.key}`, {
        state: { remarks: created.remarks, streams: created.streams },
        replace: true,
      });
  }, [created, navigate]);
  const taken = [...loaded.connectors, ...loaded.shipped].map(({ key }) => key);

  function refuse(error: unknown) {
    const fields = errorOf(error)?.fields ?? {};
    setErrors(fields);
    if (!Object.keys(fields).some((name) => Object.hasOwn(NO_INPUT, name))) setFailure(sentenceOf(error));
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    setFailure(undefined);
    const wrong = errorsOf(start, input, taken);
    setErrors(wrong);
    if (Object.keys(wrong).length > 0 || isBusy) return;
    const { data, error } = await begin(requestOf(start, input, { streams: chosen, values }));
    if (!data) return refuse(error);
    const found = data.streams ?? [];
    const asked = data.addresses ?? [];
    // What is entered may bring up more that is asked for.
    if (asked.some(({ path }) => values?.[path] === undefined)) {
      setAddresses(asked);
      return setValues(Object.fromEntries(asked.map(({ path, value }) => [path, value])));
    }
    setStreams(found);
    if (
      chosen === undefined &&
      found.some(({ isImported, entities }) => !isImported && entities.length > 0)
    ) {
      if (data.document === '') setFailure(data.remarks.join(' '));
      return setChosen(found.filter(({ isImported }) => isImported).map(({ name }) => name));
    }
    const { document: written } = readDocument(data.document);
    // Nothing could be made of it; the remarks say why.
    if (!written) return setFailure(data.remarks.join(' ') || 'The text is no document.');
    const key = start === 'document' ? textAt(written, ['key']) : input.key;
    const problem = keyProblem(key, taken);
    if (problem !== undefined)
      return setErrors({ [start === 'document' ? 'text' : 'key']: `The key "${key}": ${problem}.` });
    const document = start === 'shipped' ? renameKey(data.document, key) : data.document;
    const saved = await save({ key, document, changedAt: null });
    if (saved.error) return setFailure(sentenceOf(saved.error));
    setCreated({ key, remarks: data.remarks, streams: data.streams });
  }

  function goBack() {
    setChosen(undefined);
    setValues(undefined);
    setStreams([]);
    setFailure(undefined);
  }

  const isAsked = chosen !== undefined || values !== undefined;
  const entities = chosen && entitiesOf(streams, chosen).size;
  const fits = entities === undefined || (entities > 0 && entities <= DOCUMENT_LIMITS.entities);

  function change(changes: Partial<StartInput>) {
    setErrors({});
    setStreams([]);
    setInput((before) => {
      const next = { ...before, ...changes };
      // The key follows the title until it is edited.
      if (changes.title !== undefined && before.key === keyOf(before.title)) next.key = keyOf(next.title);
      return next;
    });
  }

  return (
    <Dialog
      open
      onClose={close}
      title="New connector"
      footer={
        <>
          {isAsked && (
            <Button className="mr-auto" disabled={isBusy} onClick={goBack}>
              Back
            </Button>
          )}
          <Button onClick={close}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary" busy={isBusy} disabled={isBusy || !fits}>
            {isBeginning && start === 'address' ? 'Requesting…' : 'Create draft'}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
        {chosen !== undefined && <ManifestChoice streams={streams} chosen={chosen} onChange={setChosen} />}
        {chosen === undefined && values !== undefined && (
          <ManifestAddresses
            addresses={addresses}
            values={values}
            onChange={(next) => {
              setFailure(undefined);
              setStreams([]);
              setValues(next);
            }}
          />
        )}
        {!isAsked && (
          <>
            <div className="flex flex-col items-start gap-1.5">
              <span aria-hidden="true" className="text-13 font-medium text-ink-2">
                Start from
              </span>
              <div className="max-w-full overflow-x-auto">
                <Segmented
                  label="Start from"
                  value={start}
                  options={STARTS}
                  onChange={(next) => {
                    setStart(next);
                    setErrors({});
                    setFailure(undefined);
                    setStreams([]);
                  }}
                />
              </div>
              <span className="text-12 text-ink-3">{STARTS.find(({ value }) => value === start)?.hint}</span>
            </div>
            <StartFields
              start={start}
              input={input}
              errors={errors}
              shipped={loaded.shipped}
              maxLength={MAX_LENGTH[start]}
              onChange={change}
            />
          </>
        )}
        {failure !== undefined && <NoticeLine tone="error">{failure}</NoticeLine>}
        {failure !== undefined && chosen === undefined && <LeftOutStreams streams={streams} />}
      </form>
    </Dialog>
  );
}
