import type { ConnectorTrialResult } from '@datadeck/contract';
import { CircleAlert, Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { formatBytes } from '../../ui/byte-size.ts';
import { Card } from '../../ui/card.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { countOf, formatCount } from '../../ui/duration.ts';
import { Segmented } from '../../ui/segmented.tsx';

type Suggestion = ConnectorTrialResult['suggestions'][number];

const TABS = [
  { value: 'records', label: 'Records' },
  { value: 'columns', label: 'Columns' },
  { value: 'request', label: 'Request' },
  { value: 'answer', label: 'Answer' },
  { value: 'next', label: 'Next' },
] as const;
type Tab = (typeof TABS)[number]['value'];

interface TrialResultProps {
  trial: ConnectorTrialResult;
  /** Names of the columns that the document has. */
  taken: readonly string[];
  /** Adds a column to the document; absent while that is impossible. */
  onAdd: ((suggestion: Suggestion) => void) | undefined;
  onGo: (path: string) => void;
}

/** What a trial requested and found. */
export function TrialResult({ trial, taken, onAdd, onGo }: TrialResultProps) {
  const { request, answer, account, records, nextPage, problems } = trial;
  const [tab, setTab] = useState<Tab>('records');
  const isSuccess = answer !== null && answer.status < 300;
  return (
    <Card
      flush
      title={
        <span className="flex flex-wrap items-center gap-2">
          {answer === null ? (
            <Badge tone="error">No answer</Badge>
          ) : (
            <Badge tone={isSuccess ? 'success' : 'error'}>Status {answer.status}</Badge>
          )}
          {answer !== null && ` ${countOf(records.count, 'record')} on this page`}
          {account !== undefined && (
            <span className="min-w-0 font-normal text-13 text-ink-3 wrap-anywhere">Account: {account}</span>
          )}
        </span>
      }
      actions={
        answer !== null && (
          <span className="text-12 text-ink-3 tabular-nums">
            {formatBytes(answer.bytes)} in {formatCount(answer.milliseconds)} ms
          </span>
        )
      }
    >
      {problems.length > 0 && (
        <ul aria-label="Problems of the trial" className="border-b px-2 py-2">
          {problems.map(({ path, message }) => (
            <li key={`${path} ${message}`} className="flex items-start gap-2 px-2 py-1 text-13">
              <CircleAlert aria-hidden="true" size={16} className="mt-0.5 shrink-0 text-error-text" />
              <span className="min-w-0 flex-1 wrap-anywhere">{message}</span>
              {path !== '' && (
                <Button size="sm" aria-label={`Go to field ${path}`} onClick={() => onGo(path)}>
                  Go to field
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      <div className="overflow-x-auto px-4 pt-3">
        <Segmented label="Result" value={tab} options={TABS} onChange={setTab} />
      </div>
      <div className="p-4">
        {tab === 'records' &&
          (answer === null ? <MutedText>No answer came.</MutedText> : <Records records={records} />)}
        {tab === 'columns' && <Columns trial={trial} taken={taken} onAdd={onAdd} />}
        {tab === 'request' && <Request request={request} />}
        {tab === 'answer' && <Answer answer={answer} />}
        {tab === 'next' &&
          (nextPage === null ? (
            <MutedText>This is the last page.</MutedText>
          ) : (
            <CodeBlock label="Next request" code={nextPage} />
          ))}
      </div>
    </Card>
  );
}

function MutedText({ children }: { children: ReactNode }) {
  return <p className="text-13 text-ink-3">{children}</p>;
}

function Records({ records: { count, first } }: Pick<ConnectorTrialResult, 'records'>) {
  if (count === 0)
    return <MutedText>No records were found in the answer. Look at Answer, and correct Records.</MutedText>;
  return (
    <div className="flex flex-col gap-4">
      {first.map((record, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the records of one answer keep their order
        <CodeBlock key={index} label={`Record ${index + 1}`} code={record} />
      ))}
      {count > first.length && (
        <MutedText>
          The first {first.length} of {formatCount(count)}.
        </MutedText>
      )}
    </div>
  );
}

function Columns({ trial, taken, onAdd }: Pick<TrialResultProps, 'trial' | 'taken' | 'onAdd'>) {
  const { columns, suggestions, records } = trial;
  const open = suggestions.filter(({ name }) => !taken.includes(name));
  return (
    <div className="flex flex-col gap-5">
      {columns.length === 0 ? (
        <MutedText>The entity has no columns yet.</MutedText>
      ) : (
        <div className="overflow-x-auto">
          <table className="w-full text-13">
            <caption className="sr-only">Columns</caption>
            <thead className="text-left text-12 text-ink-3">
              <tr className="border-b">
                <th scope="col" className="pb-2 font-medium">
                  Column
                </th>
                <th scope="col" className="pb-2 pl-3 font-medium">
                  Type
                </th>
                <th scope="col" className="pb-2 pl-3 font-medium">
                  Values
                </th>
                <th scope="col" className="pb-2 pl-3 text-right font-medium">
                  Filled
                </th>
              </tr>
            </thead>
            <tbody>
              {columns.map(({ name, type, values, filled }) => (
                <tr key={name} className="border-b align-top last:border-b-0">
                  <th scope="row" className="py-2 text-left font-mono text-12 font-normal">
                    {name}
                  </th>
                  <td className="py-2 pl-3 text-ink-3">{type}</td>
                  <td className="max-w-56 py-2 pl-3">
                    <span title={values.join('\n')} className="line-clamp-2 wrap-anywhere">
                      {values.filter((value) => value !== '').join(' · ') || '—'}
                    </span>
                  </td>
                  <td
                    className={`py-2 pl-3 text-right whitespace-nowrap tabular-nums ${filled === 0 ? 'text-error-text' : 'text-ink-2'}`}
                  >
                    {formatCount(filled)} of {formatCount(records.count)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {open.length > 0 && (
        <section aria-labelledby="suggestions" className="flex flex-col gap-2">
          <div className="flex items-center justify-between gap-3">
            <h3 id="suggestions" className="text-13 font-medium text-ink-2">
              Fields without a column
            </h3>
            <Button
              size="sm"
              disabled={!onAdd}
              onClick={() => {
                for (const suggestion of open) onAdd?.(suggestion);
              }}
            >
              Add all
            </Button>
          </div>
          <ul>
            {open.map((suggestion) => (
              <li
                key={suggestion.name}
                className="grid grid-cols-[minmax(0,1fr)_4rem_minmax(0,1.4fr)_auto] items-center gap-3 border-b py-1.5 text-13 last:border-b-0"
              >
                <code className="font-mono text-12 wrap-anywhere">{suggestion.name}</code>
                <span className="text-ink-3">{suggestion.type}</span>
                <span title={suggestion.example} className="truncate text-ink-2">
                  {suggestion.example}
                </span>
                <Button
                  size="sm"
                  icon={<Plus size={14} />}
                  disabled={!onAdd}
                  aria-label={`Add ${suggestion.name}`}
                  onClick={() => onAdd?.(suggestion)}
                >
                  Add
                </Button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

function Request({ request }: Pick<ConnectorTrialResult, 'request'>) {
  if (request === null) return <MutedText>Nothing was sent, because the document cannot be used.</MutedText>;
  const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <div className="flex flex-col gap-4">
      <CodeBlock label="Address" code={`${request.method} ${request.url}`} />
      {headers.length > 0 && <CodeBlock label="Headers" code={headers.join('\n')} />}
      {request.body !== null && <CodeBlock label="Body" code={request.body} />}
      <MutedText>The secret is left out.</MutedText>
    </div>
  );
}

function Answer({ answer }: Pick<ConnectorTrialResult, 'answer'>) {
  if (answer === null) return <MutedText>No answer came.</MutedText>;
  return (
    <div className="flex flex-col gap-4">
      <MutedText>
        Status {answer.status}, {answer.type === '' ? 'without a type' : answer.type}.
        {answer.text.length >= 20_000 && ' The first 20,000 characters:'}
      </MutedText>
      <CodeBlock label="Body of the answer" code={answer.text} />
    </div>
  );
}
