import { classNames } from '../../ui/class-names.ts';

const PATHS: Record<string, string> = {
  google:
    'M24 5.457v13.909c0 .904-.732 1.636-1.636 1.636h-3.819V11.73L12 16.64l-6.545-4.91v9.273H1.636A1.636 1.636 0 0 1 0 19.366V5.457c0-2.023 2.309-3.178 3.927-1.964L5.455 4.64 12 9.548l6.545-4.91 1.528-1.145C21.69 2.28 24 3.434 24 5.457z',
  github:
    'M12 .297c-6.63 0-12 5.373-12 12 0 5.303 3.438 9.8 8.205 11.385.6.113.82-.258.82-.577 0-.285-.01-1.04-.015-2.04-3.338.724-4.042-1.61-4.042-1.61C4.422 18.07 3.633 17.7 3.633 17.7c-1.087-.744.084-.729.084-.729 1.205.084 1.838 1.236 1.838 1.236 1.07 1.835 2.809 1.305 3.495.998.108-.776.417-1.305.76-1.605-2.665-.3-5.466-1.332-5.466-5.93 0-1.31.465-2.38 1.235-3.22-.135-.303-.54-1.523.105-3.176 0 0 1.005-.322 3.3 1.23.96-.267 1.98-.399 3-.405 1.02.006 2.04.138 3 .405 2.28-1.552 3.285-1.23 3.285-1.23.645 1.653.24 2.873.12 3.176.765.84 1.23 1.91 1.23 3.22 0 4.61-2.805 5.625-5.475 5.92.42.36.81 1.096.81 2.22 0 1.606-.015 2.896-.015 3.286 0 .315.21.69.825.57C20.565 22.092 24 17.592 24 12.297c0-6.627-5.373-12-12-12',
  facebook:
    'M24 12.073c0-6.627-5.373-12-12-12s-12 5.373-12 12c0 5.99 4.388 10.954 10.125 11.854v-8.385H7.078v-3.47h3.047V9.43c0-3.007 1.792-4.669 4.533-4.669 1.312 0 2.686.235 2.686.235v2.953H15.83c-1.491 0-1.956.925-1.956 1.874v2.25h3.328l-.532 3.47h-2.796v8.385C19.612 23.027 24 18.062 24 12.073z',
};

/** Lucide's plug: of a provider that brings no mark. */
const NEUTRAL =
  'M9 1a1 1 0 0 1 1 1v5h4V2a1 1 0 1 1 2 0v5h2a1 1 0 1 1 0 2v4a5 5 0 0 1-5 5v4a1 1 0 1 1-2 0v-4a5 5 0 0 1-5-5V9a1 1 0 0 1 0-2h2V2a1 1 0 0 1 1-1z';

interface ProviderMarkProps {
  provider: string;
  /** The path that the provider brings. */
  mark?: string | undefined;
  size?: 'sm' | 'md';
}

/** The provider's mark on a small tile. */
export function ProviderMark({ provider, mark, size = 'md' }: ProviderMarkProps) {
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
        <path d={PATHS[provider] ?? mark ?? NEUTRAL} />
      </svg>
    </span>
  );
}
