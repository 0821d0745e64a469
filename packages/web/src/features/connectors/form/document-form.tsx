import { Plus } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { NoticeLine } from '../../../ui/notice-line.tsx';
import { listAt } from '../document/document-text.ts';
import { LimitsSection, ServiceSection, SignInSection } from './connect-sections.tsx';
import { EntitySection } from './entity-section.tsx';
import { type DocumentForm as Form, FormProvider } from './form-context.ts';
import { newEntity } from './new-entity.ts';

interface DocumentFormProps extends Form {
  /** Why the text cannot be read; the form then shows the last document that could be. */
  sentence: string | undefined;
  /** The OAuth client, which is no part of the document. */
  client: ReactNode;
}

/** The document as a form. */
export function DocumentForm({ document, problems, edit, sentence, client }: DocumentFormProps) {
  const [memory] = useState(() => new Map<string, unknown>());
  const form = useMemo(() => ({ document, problems, edit, memory }), [document, problems, edit, memory]);
  const entities = listAt(document, ['entities']);
  // A new entity begins open.
  const [known] = useState(entities.length);
  return (
    <FormProvider value={form}>
      {sentence !== undefined && (
        <div className="mb-4">
          <NoticeLine tone="error">
            {sentence} Until it is corrected, the form shows what could be read last and cannot be edited.
          </NoticeLine>
        </div>
      )}
      <fieldset disabled={sentence !== undefined} className="flex min-w-0 flex-col gap-3">
        <legend className="sr-only">Connector</legend>
        <ServiceSection />
        <SignInSection client={client} />
        <LimitsSection />
        {entities.map((_entity, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an entity keeps the focus while its id changes
          <EntitySection key={index} index={index} isOpen={known === 1 || index >= known} />
        ))}
        <div>
          <Button
            icon={<Plus size={14} />}
            onClick={() => edit(['entities', entities.length], newEntity(document))}
          >
            Add entity
          </Button>
        </div>
      </fieldset>
    </FormProvider>
  );
}
