import { CircleSlash } from 'lucide-react';
import { Component, type ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { ShareNotice } from './share-notice.tsx';

/** Shows a message in place of a page that could not be drawn, such as when a part of its code could not be loaded. */
export class FailureBoundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <ShareNotice
        icon={CircleSlash}
        title="The page could not be shown"
        hint="A part of it could not be loaded. Check the connection and load the page again."
        action={
          <Button variant="primary" onClick={() => window.location.reload()}>
            Load again
          </Button>
        }
      />
    );
  }
}
