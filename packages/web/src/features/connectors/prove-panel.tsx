import type { ConnectorDetail, ConnectorProof, ProofCheck } from '@datadeck/contract';
import { CircleCheck, CircleMinus, CircleQuestionMark, CircleX, FlaskConical } from 'lucide-react';
import { useState } from 'react';
import { sentenceOf } from '../../api/failure.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Age } from '../../ui/date-time.tsx';
import { countOf, formatDuration } from '../../ui/duration.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { NoticeLine } from '../../ui/notice-line.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useProveConnectorMutation } from './connectors-api.ts';
import { listAt, textAt } from './document/document-text.ts';

const OUTCOMES = {
  failed: { label: 'Failed', Icon: CircleX, tone: 'text-error-text' },
  passed: { label: 'Passed', Icon: CircleCheck, tone: 'text-success-text' },
  undecided: { label: 'Undecided', Icon: CircleQuestionMark, tone: 'text-ink-2' },
  'not-applicable': { label: 'Does not apply', Icon: CircleMinus, tone: 'text-ink-3' },
} as const satisfies Record<ProofCheck['outcome'], unknown>;
const ORDER = ['failed', 'undecided', 'passed', 'not-applicable'] as const;

/** Says how many checks had each outcome: `2 failed, 1 undecided, 14 passed, 3 do not apply`. */
function tally(checks: readonly ProofCheck[]): string {
  const count = (outcome: ProofCheck['outcome']) => checks.filter((one) => one.outcome === outcome).length;
  const rest = count('not-applicable');
  return [
    count('failed') > 0 && `${count('failed')} failed`,
    count('undecided') > 0 && `${count('undecided')} undecided`,
    `${count('passed')} passed`,
    rest > 0 && `${rest} ${rest === 1 ? 'does' : 'do'} not apply`,
  ]
    .filter(Boolean)
    .join(', ');
}

function CheckRow({ check, onGo }: { check: ProofCheck; onGo: (path: string) => void }) {
  const { title, outcome, message, path } = check;
  const { label, Icon, tone } = OUTCOMES[outcome];
  return (
    <li className="flex items-start gap-2 border-b px-4 py-2 text-13 last:border-b-0">
      <Icon aria-hidden="true" size={16} className={`mt-0.5 shrink-0 ${tone}`} />
      <span className="min-w-0 flex-1">
        <span className="sr-only">{label}: </span>
        <span className={outcome === 'not-applicable' ? 'text-ink-3' : undefined}>{title}</span>
        {message !== '' && (
          <span
            className={`block text-12 wrap-anywhere ${outcome === 'failed' ? 'text-error-text' : 'text-ink-3'}`}
          >
            {message}
          </span>
        )}
      </span>
      {path !== '' && outcome === 'failed' && (
        <Button size="sm" aria-label={`Go to field: ${title}`} onClick={() => onGo(path)}>
          Go to field
        </Button>
      )}
    </li>
  );
}

interface ProofProps {
  proof: ConnectorProof;
  titleOf: (entity: string) => string;
  onGo: (path: string) => void;
}

/** Says how many checks passed, and whether some say nothing. */
function passedText(checks: ConnectorProof['checks']): string {
  const passed = checks.filter(({ outcome }) => outcome === 'passed').length;
  if (passed === 0) return 'Nothing could be checked';
  return passed === checks.length ? `All ${countOf(passed, 'check')} passed` : tally(checks);
}

function Proof({ proof: { checks, milliseconds }, titleOf, onGo }: ProofProps) {
  const entities = [...new Set(checks.map(({ entity }) => entity))];
  const failed = checks.filter(({ outcome }) => outcome === 'failed').length;
  return (
    <div className="flex flex-col gap-4">
      <p className="text-13 text-ink-2">
        {failed === 0
          ? `${passedText(checks)} in ${formatDuration(milliseconds / 1000)}.`
          : `${countOf(failed, 'check')} failed. Each says what to change.`}
      </p>
      {entities.map((entity) => {
        const own = checks.filter((check) => check.entity === entity);
        return (
          <Card
            key={entity}
            flush
            title={titleOf(entity)}
            actions={<span className="text-12 text-ink-3 tabular-nums">{tally(own)}</span>}
          >
            <ul aria-label={`Checks of ${titleOf(entity)}`}>
              {ORDER.flatMap((outcome) => own.filter((check) => check.outcome === outcome)).map((check) => (
                <CheckRow key={check.title} check={check} onGo={onGo} />
              ))}
            </ul>
          </Card>
        );
      })}
    </div>
  );
}

interface ProvePanelProps {
  detail: ConnectorDetail;
  document: unknown;
  text: string;
  isReadable: boolean;
  onTry: () => void;
  onGo: (path: string) => void;
}

/** Proves the document: synchronizes from a stand-in made of the recorded answers, with faults. */
export function ProvePanel({ detail, document, text, isReadable, onTry, onGo }: ProvePanelProps) {
  const { key, recordings } = detail;
  const [prove, { isLoading, error, data }] = useProveConnectorMutation();
  const [provenText, setProvenText] = useState<string>();
  const titles = new Map(
    listAt(document, ['entities']).map((entity) => [textAt(entity, ['id']), textAt(entity, ['title'])]),
  );
  const titleOf = (entity: string) =>
    titles.get(entity) || (entity === 'identity' ? 'Account' : entity) || 'Connector';

  if (recordings.length === 0 && !data && !isLoading)
    return (
      <Card flush>
        <EmptyState
          icon={<FlaskConical size={20} />}
          title="Try it first"
          hint="A proof needs a recorded answer of each entity. Try records the shape of what the API sends, with other values."
          action={<Button onClick={onTry}>Go to Try</Button>}
        />
      </Card>
    );
  return (
    <div className="flex flex-col gap-4">
      <Card>
        <div className="flex flex-col items-start gap-3">
          <p className="text-13 text-ink-2">
            Synchronizes from a stand-in made of the recorded answers, and lets things go wrong: pages that
            move, expired tokens, limits, malformed answers. Nothing is sent to the real API.
          </p>
          <ul aria-label="Recorded answers" className="text-12 text-ink-3">
            {recordings.map(({ entity, records, recordedAt }) => (
              <li key={`${entity} ${recordedAt}`}>
                {titleOf(entity)}: {countOf(records, 'record')}, recorded <Age iso={recordedAt} />
              </li>
            ))}
          </ul>
          <Button
            variant="primary"
            busy={isLoading}
            disabled={isLoading || !isReadable}
            onClick={() => {
              setProvenText(text);
              void prove({ key, document: text });
            }}
          >
            {isLoading ? 'Proving…' : data ? 'Prove again' : 'Prove'}
          </Button>
        </div>
      </Card>
      <p aria-live="polite" className="sr-only">
        {isLoading ? 'Proving. This takes up to a minute.' : data ? `Proof: ${tally(data.checks)}.` : ''}
      </p>
      <div className="flex flex-col gap-4">
        {isLoading && (
          <>
            <p className="text-13 text-ink-2">
              Synchronizing again and again, each time with another fault. This takes up to a minute.
            </p>
            <Skeleton className="h-40" />
          </>
        )}
        {error !== undefined && !isLoading && <NoticeLine tone="error">{sentenceOf(error)}</NoticeLine>}
        {data && !isLoading && (
          <>
            {provenText !== text && (
              <NoticeLine tone="info">The document has changed since. Prove it again.</NoticeLine>
            )}
            <Proof proof={data} titleOf={titleOf} onGo={onGo} />
          </>
        )}
      </div>
    </div>
  );
}
