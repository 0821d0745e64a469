import type { ReactNode } from 'react';
import { membersAt, textAt } from '../document/document-text.ts';
import { AuthenticationFields, authenticationOf, connectOf, KINDS } from './authentication-fields.tsx';
import { useDocumentForm, useProblemCount } from './form-context.ts';
import { FormFieldRows } from './form-field-rows.tsx';
import { Pair, Section } from './section.tsx';
import { ChoiceValue, NumberValue, TextValue } from './values.tsx';

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
        hint="Requests of entities are added to it. {config.site} before a fixed end is a name that each person enters."
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
  const connect = membersAt(document, ['connect']);
  const hasSecret = kind !== 'none' && kind !== 'oauth-code';
  const hasIdentity = membersAt(document, ['identity']).request !== undefined;

  function choose(next: string) {
    edit([], {
      ...membersAt(document, []),
      authentication: authenticationOf(next),
      connect: connectOf(connect, next),
      // The page of the provider does not say who connected, so a request must.
      ...(next === 'oauth-code' && !hasIdentity && { identity: IDENTITY }),
    });
  }

  return (
    <Section
      title="Sign-in"
      note={KINDS.find(({ value }) => value === kind)?.label ?? kind}
      problems={problems}
      isOpen
    >
      <Pair>
        <ChoiceValue
          path={['authentication', 'kind']}
          label="Authentication"
          options={KINDS}
          onChoose={choose}
        />
        <AuthenticationFields />
      </Pair>
      {kind === 'oauth-code' && client}
      {hasSecret && (
        <Pair>
          <TextValue path={['connect', 'secret', 'label']} label="Label of the secret" required />
          <TextValue path={['connect', 'secret', 'name']} label="Name of the secret" required isCode />
          <TextValue path={['connect', 'secret', 'tip']} label="Help below the secret" />
          <TextValue
            path={['connect', 'secret', 'pattern']}
            label="Pattern of the secret"
            isCode
            hint="A regular expression that the whole secret matches."
          />
        </Pair>
      )}
      <TextValue
        path={['connect', 'intro', 0]}
        label="How to get access"
        rows={2}
        hint="A sentence above the form in which people connect."
      />
      {kind !== 'oauth-code' && (
        <FormFieldRows
          path={['connect', 'fields']}
          title="Further fields of the connect form"
          hint="Requests read them as config.name."
          newField={{ name: 'site', label: 'Site' }}
        />
      )}
      {hasIdentity ? (
        <>
          <Pair>
            <TextValue
              path={['identity', 'request', 'path']}
              label="Path that checks a connection"
              required
              isCode
              placeholder="/me"
            />
            <TextValue path={['identity', 'subject']} label="Unique id of the account" required isCode />
            <TextValue path={['identity', 'account']} label="Name of the account" required isCode />
          </Pair>
          <button
            type="button"
            className="self-start rounded-sm text-12 font-medium text-accent-text hover:underline"
            onClick={() => edit(['identity'], undefined)}
          >
            Do not check connections
          </button>
        </>
      ) : (
        <button
          type="button"
          className="self-start rounded-sm text-12 font-medium text-accent-text hover:underline"
          onClick={() => edit(['identity'], IDENTITY)}
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
    >
      <Pair>
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
      </Pair>
      <p className="text-12 text-ink-3">
        What failures mean, links and the logo are written in the document: <code>failures</code>,{' '}
        <code>connect.links</code> and <code>mark</code>.
      </p>
    </Section>
  );
}
