import type { ApiToken, CreatedToken } from '@datadeck/contract';
import { useState } from 'react';
import { causeOf } from '../../api/failure.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { LoadFailure } from '../../ui/load-failure.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { LoadingRows } from '../../ui/skeleton.tsx';
import { useTokensQuery } from '../tokens/tokens-api.ts';
import { CreatedLink } from './created-link.tsx';
import { LinkList } from './link-list.tsx';
import { NewLinkForm } from './new-link-form.tsx';
import { PeopleWithAccess } from './people-with-access.tsx';
import { linksTo, type Shared } from './shared-subject.ts';

interface ShareDialogProps {
  shared: Shared;
  onClose: () => void;
}

/** The 'Share' dialog: makes links by which others read a view or a board, lists them, and ends them. */
export function ShareDialog({ shared, onClose }: ShareDialogProps) {
  const { data: tokens, error, isFetching, refetch } = useTokensQuery();
  if (tokens) return <Steps shared={shared} links={linksTo(shared, tokens)} onClose={onClose} />;
  return (
    <Dialog open onClose={onClose} title="Share" subtitle={shared.title}>
      {error === undefined ? (
        <LoadingRows rows={3} />
      ) : (
        <LoadFailure
          sentence="The links could not be loaded."
          detail={causeOf(error)}
          busy={isFetching}
          onRetry={refetch}
        />
      )}
    </Dialog>
  );
}

type Audience = 'link' | 'people';

function Steps({ shared, links, onClose }: ShareDialogProps & { links: readonly ApiToken[] }) {
  const [to, setTo] = useState<Audience>('link');
  const [isNew, setIsNew] = useState(links.length === 0);
  const [created, setCreated] = useState<CreatedToken>();
  const audience = (
    <Segmented<Audience>
      label="Share with"
      value={to}
      options={[
        { value: 'link', label: 'Anybody with the link' },
        { value: 'people', label: 'People with an account' },
      ]}
      onChange={setTo}
    />
  );
  if (created) return <CreatedLink shared={shared} created={created} onClose={onClose} />;
  if (to === 'people') return <PeopleWithAccess shared={shared} audience={audience} onClose={onClose} />;
  if (!isNew)
    return (
      <LinkList
        shared={shared}
        audience={audience}
        links={links}
        onNew={() => setIsNew(true)}
        onClose={onClose}
      />
    );
  return (
    <NewLinkForm
      shared={shared}
      audience={audience}
      onCreated={setCreated}
      onBack={links.length > 0 ? () => setIsNew(false) : undefined}
      onClose={onClose}
    />
  );
}
