import type { SearchPiece } from '@datadeck/contract';

/** Shows a text with the found words marked. The pieces are plain text, never HTML. */
export function Highlighted({ pieces }: { pieces: readonly SearchPiece[] }) {
  return pieces.map(({ text, isMatch }, index) =>
    isMatch ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text have no other identity
      <mark key={index} className="rounded-sm bg-accent-soft text-accent-text">
        {text}
      </mark>
    ) : (
      text
    ),
  );
}
