import type { ConnectorDocument } from '@datadeck/contract/connector-document';
import { ProviderError } from '../sdk/index.ts';
import { decode } from './decode.ts';
import type { Answer, DocumentAnswers, Variables } from './document-task.ts';
import { failedBodyOf, inputOf } from './entity-mapper.ts';
import { compileBounded, evaluateFor } from './expression.ts';
import { plainText } from './plain-text.ts';
import { RequestBuilder } from './request-builder.ts';
import type { WireRequest } from './wire-request.ts';

/** Evaluates the expressions that identify an account. Runs in the document's thread. */
export class IdentityMapper {
  readonly #document: ConnectorDocument;
  readonly #identity: NonNullable<ConnectorDocument['identity']>;

  constructor(document: ConnectorDocument) {
    if (!document.identity) throw new Error('the document identifies no account');
    this.#document = document;
    this.#identity = document.identity;
  }

  /** Returns the request by which a connection is tried. @throws ProviderError */
  request(variables: Variables): WireRequest {
    const what = `${this.#document.title}’s account`;
    return new RequestBuilder(what, this.#document, this.#identity.request).first(inputOf(variables));
  }

  /** Reads who the account is. @throws ProviderError `malformed` for an answer without it; SyntaxError */
  read({ bytes, headers }: Answer, variables: Variables): DocumentAnswers['identity'] {
    const { title, failed } = this.#document;
    const { subject, account, request } = this.#identity;
    const input = { ...inputOf(variables), response: decode(request.decode, bytes), headers };
    const failedBody = failedBodyOf(failed === undefined ? undefined : compileBounded(failed), input);
    if (failedBody) return failedBody;
    const [id = '', name = ''] = [subject, account].map((expression) =>
      plainText(evaluateFor(`${title}’s account`, compileBounded(expression), input)),
    );
    if (id === '') throw new ProviderError('malformed', `${title} does not say whose account it is.`);
    return { subject: id, account: name === '' ? id : name };
  }
}
