import { LoaderCircle } from 'lucide-react';

/** A spinner. The text next to it says what is running. */
export function Spinner({ size = 14 }: { size?: number }) {
  return <LoaderCircle aria-hidden="true" size={size} className="shrink-0 animate-spin" />;
}
