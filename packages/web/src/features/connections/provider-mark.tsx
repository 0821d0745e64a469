import { classNames } from '../../ui/class-names.ts';

/** Lucide's plug, for a provider without a logo. */
const NEUTRAL =
  'M9 1a1 1 0 0 1 1 1v5h4V2a1 1 0 1 1 2 0v5h2a1 1 0 1 1 0 2v4a5 5 0 0 1-5 5v4a1 1 0 1 1-2 0v-4a5 5 0 0 1-5-5V9a1 1 0 0 1 0-2h2V2a1 1 0 0 1 1-1z';

interface ProviderMarkProps {
  /** SVG path of the provider's logo. */
  mark?: string | undefined;
  size?: 'sm' | 'md';
}

/** The provider's logo on a small tile. */
export function ProviderMark({ mark, size = 'md' }: ProviderMarkProps) {
  return (
    <span
      aria-hidden="true"
      className={classNames(
        'grid shrink-0 place-items-center rounded-sm border bg-sunken text-ink-2',
        size === 'sm' ? 'size-6' : 'size-10',
      )}
    >
      <svg
        aria-hidden="true"
        viewBox="0 0 24 24"
        className={classNames('fill-current', size === 'sm' ? 'size-3' : 'size-5')}
      >
        <path d={mark ?? NEUTRAL} />
      </svg>
    </span>
  );
}
