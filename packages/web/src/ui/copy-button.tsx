import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { copyText } from './copy-text.ts';
import { IconButton } from './icon-button.tsx';

/** A button that copies a text and shows a tick for a moment. */
export function CopyButton({ text, label = 'Copy' }: { text: string | (() => string); label?: string }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1500);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <IconButton
      size="sm"
      label={copied ? 'Copied' : label}
      icon={copied ? <Check size={14} /> : <Copy size={14} />}
      onClick={async () => {
        if (await copyText(typeof text === 'function' ? text() : text)) setCopied(true);
      }}
    />
  );
}
