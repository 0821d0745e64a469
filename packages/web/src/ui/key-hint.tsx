/** Shows a key of the keyboard. */
export function KeyHint({ keys }: { keys: string }) {
  return (
    <kbd className="inline-flex h-5 min-w-5 items-center justify-center rounded-sm border bg-sunken px-1 font-sans text-12 text-ink-3">
      {keys}
    </kbd>
  );
}
