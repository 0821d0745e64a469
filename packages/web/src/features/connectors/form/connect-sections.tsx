import type { ReactNode } from 'react';
import { membersAt, textAt } from '../document/document-text.ts';
import { AUTHENTICATION_KINDS, AuthenticationFields, withAuthentication } from './authentication-fields.tsx';
import { useDocumentForm, useMemory, useProblemCount } from './form-context.ts';
import { FormFieldRows } from './form-field-rows.tsx';
import { FieldGrid, Section } from './section.tsx';
import { ChoiceValue, LinesValue, NumberValue, TextValue } from './values.tsx';

/** The name, the description and the address of the service. */
export function ServiceSection() {
  const problems =
    useProblemCount(['title']) +
    useProblemCount(['description']) +
    useProblemCount(['baseUrl']) +
    useProblemCount(['key']) +
    useProblemCount(['mark']);
  return (
    <Section title="Service" problems={problems} isOpen>
      <TextValue path={['title']} label="Title" required />
      <TextValue
        path={['description']}
        label="Description"
        required
        rows={2}
        hint="People see it on the Providers screen."
      />
      <TextValue
        path={['baseUrl']}
        label="Base address"
        required
        isCode
        placeholder="https://helpdesk.example.com/api"
        hint="Requests of entities are added to it. {config.site} before a fixed end is a name, or a part of it, that each person enters."
      />
    </Section>
  );
}

/** A request that says who is connected. */
const IDENTITY = {
  request: { path: '/me' },
  subject: '$string(response.id)',
  account: 'response.email',
};

/** How an account is connected: the secret, further fields, and the request that checks the connection. */
export function SignInSection({ client }: { client: ReactNode }) {
  const { document, edit } = useDocumentForm();
  const problems =
    useProblemCount(['authentication']) + useProblemCount(['connect']) + useProblemCount(['identity']);
  const kind = textAt(document, ['authentication', 'kind']);
  const [signIn, check] = [useMemory([]), useMemory(['identity'])];
  const hasSecret = kind !== 'none' && kind !== 'oauth-code';
  const hasIdentity = membersAt(document, ['identity']).request !== undefined;

  function choose(next: string) {
    signIn.keep(kind);
    const former = signIn.kept(next);
    const changed = withAuthentication(membersAt(document, []), next, former);
    // The page of the provider does not say who connected, so a request must.
    if (next === 'oauth-code' && !hasIdentity) changed.identity = former?.identity ?? IDENTITY;
    // It was added with that kind, and is a guess.
    else if (kind === 'oauth-code' && JSON.stringify(changed.identity) === JSON.stringify(IDENTITY))
      delete changed.identity;
    edit([], changed);
  }

  return (
    <Section
      title="Sign-in"
      note={AUTHENTICATION_KINDS.find(({ value }) => value === kind)?.label ?? kind}
      problems={problems}
      isOpen
    >
      <FieldGrid>
        <ChoiceValue
          path={['authentication', 'kind']}
          label="Authentication"
          options={AUTHENTICATION_KINDS}
          onChoose={choose}
        />
        <AuthenticationFields />
      </FieldGrid>
      {kind === 'oauth-code' && client}
      {hasSecret && (
        <FieldGrid>
          <TextValue path={['connect', 'secret', 'label']} label="Label of the secret" required />
          <TextValue path={['connect', 'secret', 'name']} label="Name of the secret" required isCode />
          <TextValue path={['connect', 'secret', 'tip']} label="Help below the secret" />
          <TextValue
            path={['connect', 'secret', 'pattern']}
            label="Pattern of the secret"
            isCode
            hint="A regular expression that the whole secret matches."
          />
        </FieldGrid>
      )}
      <LinesValue
        path={['connect', 'intro']}
        label="How to get access"
        hint="Sentences above the form in which people connect, each on a line of its own."
      />
      {kind !== 'oauth-code' && (
        <FormFieldRows
          path={['connect', 'fields']}
          title="Further fields of the connect form"
          hint="Requests read them as config.name."
          newField={{ name: 'site', label: 'Site' }}
          usedAs={[{ within: [], prefix: 'config.' }]}
        />
      )}
      {hasIdentity ? (
        <>
          <FieldGrid>
            <TextValue
              path={['identity', 'request', 'path']}
              label="Path that checks a connection"
              required
              isCode
              placeholder="/me"
            />
            <TextValue
              path={['identity', 'subject']}
              label="Unique id of the account"
              required
              isExpression
            />
            <TextValue path={['identity', 'account']} label="Name of the account" required isExpression />
          </FieldGrid>
          <button
            type="button"
            className="self-start rounded-sm text-12 font-medium text-accent-text hover:underline"
            onClick={() => {
              check.keep('');
              edit(['identity'], undefined);
            }}
          >
            Do not check connections
          </button>
        </>
      ) : (
        <button
          type="button"
          className="self-start rounded-sm text-12 font-medium text-accent-text hover:underline"
          onClick={() => edit(['identity'], check.kept('') ?? IDENTITY)}
        >
          Check each connection by a request
        </button>
      )}
    </Section>
  );
}

/** How many requests the service allows. */
export function LimitsSection() {
  const { document } = useDocumentForm();
  const perMinute = membersAt(document, ['quota']).perMinute;
  return (
    <Section
      title="Limits"
      note={typeof perMinute === 'number' ? `${perMinute} requests a minute` : ''}
      problems={useProblemCount(['quota'])}
      at="quota"
    >
      <FieldGrid>
        <NumberValue path={['quota', 'perMinute']} label="Requests a minute" required />
        <NumberValue path={['quota', 'concurrency']} label="Requests at a time" placeholder="2" />
        <TextValue
          path={['quota', 'remainingHeader']}
          label="Header with the requests left"
          isCode
          placeholder="x-ratelimit-remaining"
        />
        <TextValue
          path={['quota', 'resetHeader']}
          label="Header with the time of the next"
          isCode
          placeholder="x-ratelimit-reset"
        />
      </FieldGrid>
      <p className="text-12 text-ink-3">
        What failures mean, links and the logo are written in the document: <code>failures</code>,{' '}
        <code>connect.links</code> and <code>mark</code>.
      </p>
    </Section>
  );
}
