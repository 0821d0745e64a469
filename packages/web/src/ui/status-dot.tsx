import { classNames } from './class-names.ts';

const COLOURS = {
  secondary: 'bg-secondary',
  success: 'bg-success',
  error: 'bg-error',
  none: 'bg-line-strong',
};

export type DotColour = keyof typeof COLOURS;

/** A coloured dot; its label is read by assistive technology and shown on hover. */
export function StatusDot({ colour, label }: { colour: DotColour; label: string }) {
  return (
    <span
      role="img"
      aria-label={label}
      title={label}
      data-colour={colour}
      className={classNames(
        'inline-block size-2 shrink-0 self-center rounded-full',
        COLOURS[colour],
        colour === 'secondary' && 'animate-beat',
      )}
    />
  );
}
