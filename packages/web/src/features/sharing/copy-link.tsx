import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { copyText } from '../../ui/copy-text.ts';

/** How long a button says that it has copied, ms. */
const COPIED_MS = 1500;

/** Copies a link, and says for a moment that it has. */
export function CopyLink({ link }: { link: string }) {
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setIsCopied(false), COPIED_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return (
    <Button
      variant="primary"
      icon={isCopied ? <Check size={14} /> : <Copy size={14} />}
      onClick={async () => setIsCopied(await copyText(link))}
    >
      {isCopied ? 'Copied' : 'Copy link'}
    </Button>
  );
}
