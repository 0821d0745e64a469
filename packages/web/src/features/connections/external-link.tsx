import { ExternalLink as Icon } from 'lucide-react';

/** A link to another site, which opens in a new tab. */
export function ExternalLink({ label, url }: { label: string; url: string }) {
  return (
    <a
      href={url}
      target="_blank"
      rel="noreferrer"
      className="inline-flex items-center gap-1 rounded-sm font-medium text-accent-text hover:underline"
    >
      {label}
      <Icon aria-hidden="true" size={12} />
    </a>
  );
}
