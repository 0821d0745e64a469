import type { AdminFinding } from '@datadeck/contract';
import { CircleAlert, CircleCheck, CircleX } from 'lucide-react';
import { classNames } from '../../ui/class-names.ts';

const LOOKS = {
  ok: { icon: CircleCheck, label: 'In order', colour: 'text-success-text' },
  warning: { icon: CircleAlert, label: 'Warning', colour: 'text-secondary-text' },
  problem: { icon: CircleX, label: 'Problem', colour: 'text-error-text' },
} as const;
const ORDER = ['problem', 'warning', 'ok'] as const;

/** Results of checks, problems first, each with what to do about it. */
export function FindingList({ label, findings }: { label: string; findings: readonly AdminFinding[] }) {
  const sorted = ORDER.flatMap((state) => findings.filter((finding) => finding.state === state));
  return (
    <ul aria-label={label}>
      {sorted.map(({ state, text, advice }) => {
        const { icon: Icon, label: name, colour } = LOOKS[state];
        return (
          <li key={text} className="flex gap-3 border-b px-4 py-3 last:border-b-0">
            <Icon role="img" aria-label={name} size={16} className={classNames('mt-0.5 shrink-0', colour)} />
            <div className="min-w-0 wrap-anywhere text-13">
              <p className={state === 'ok' ? 'text-ink-2' : 'font-medium'}>{text}</p>
              {advice !== undefined && <p className="mt-0.5 text-ink-2">{advice}</p>}
            </div>
          </li>
        );
      })}
    </ul>
  );
}
