import { Share2 } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useForbiddenReason, useMayChange } from '../../api/permission.ts';
import { Button, type ButtonProps } from '../../ui/button.tsx';
import { countOf } from '../../ui/duration.ts';
import { fetchCode } from '../../ui/fetch-code.ts';
import type { MenuItem } from '../../ui/menu.tsx';
import { useInvitationsQuery } from '../invitations/invitations-api.ts';
import { useProductQuery } from '../sign-in/sign-in-api.ts';
import { useTokensQuery } from '../tokens/tokens-api.ts';
import { isOpen, linksTo, type Shared, targetOf } from './shared-subject.ts';

const ShareDialog = lazy(async () => ({
  default: await fetchCode(async () => (await import('./share-dialog.tsx')).ShareDialog),
}));

interface ShareButtonProps {
  shared: Shared;
  /** Why it cannot be shared now. */
  disabledReason?: string | undefined;
  size?: ButtonProps['size'];
  /** Renders what opens the dialog in place of the button: an item of a menu; undefined where nothing is shared. */
  children?: (item: MenuItem | undefined) => ReactNode;
}

/** Says how many links are open and how many people are invited; undefined for none. */
function sharedWords(links: number, people: number): string | undefined {
  const parts = [
    links > 0 && `${countOf(links, 'link')} ${links === 1 ? 'is' : 'are'} open`,
    people > 0 && `${countOf(people, 'invitation')} to people with an account`,
  ].filter((part) => part !== false);
  return parts.length > 0 ? parts.join(', ') : undefined;
}

/** Opens the dialog with the links to a view or a board, and says whether there are any. Absent where sharing is off. */
export function ShareButton({ shared, disabledReason, size = 'md', children }: ShareButtonProps) {
  const mayChange = useMayChange();
  const forbidden = useForbiddenReason();
  const product = useProductQuery();
  const isOff = product.data?.sharing === false;
  const tokens = useTokensQuery(undefined, { skip: !mayChange || isOff });
  const invitations = useInvitationsQuery(targetOf(shared), { skip: !mayChange || isOff });
  const [isShown, setIsShown] = useState(false);
  if (isOff) return children?.(undefined);

  const links = linksTo(shared, tokens.data ?? []).filter(isOpen).length;
  const people = invitations.data?.length ?? 0;
  const open = links + people;
  const reason = forbidden ?? (open > 0 ? undefined : disabledReason);
  const isDisabled = reason !== undefined;
  const label = open > 0 ? 'Shared' : 'Share';
  const icon = <Share2 aria-hidden="true" size={14} />;
  return (
    <>
      {children ? (
        children({
          label: open > 1 ? `Shared (${open})` : label,
          icon,
          disabled: isDisabled,
          title: reason,
          onSelect: () => setIsShown(true),
        })
      ) : (
        <Button
          size={size}
          icon={icon}
          className={open > 0 && !isDisabled ? 'border-transparent! bg-accent-soft! text-accent-text!' : ''}
          disabled={isDisabled}
          title={reason ?? sharedWords(links, people)}
          onClick={() => setIsShown(true)}
        >
          {label}
        </Button>
      )}
      {isShown && (
        <Suspense>
          <ShareDialog shared={shared} onClose={() => setIsShown(false)} />
        </Suspense>
      )}
    </>
  );
}
