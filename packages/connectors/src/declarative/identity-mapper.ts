import type { ConnectorDocument } from '@datadeck/contract/connector-document';
import type { Expression } from '@datadeck/jsonata';
import { ProviderError } from '../sdk/index.ts';
import { decode } from './decode.ts';
import type { Answer, DocumentAnswers, Variables } from './document-task.ts';
import { failedBodyOf, inputOf } from './entity-mapper.ts';
import { compileBounded, evaluate } from './expression.ts';
import { RequestBuilder } from './request-builder.ts';
import { scalarText } from './scalar-text.ts';
import type { WireRequest } from './wire-request.ts';

/** Evaluates the expressions that identify an account. Runs in the document's thread. */
export class IdentityMapper {
  readonly #title: string;
  readonly #decode: Parameters<typeof decode>[0];
  readonly #request: RequestBuilder;
  readonly #subject: Expression;
  readonly #account: Expression;
  readonly #failed: Expression | undefined;

  /** @throws JsonataError for an expression that is not well formed */
  constructor(document: ConnectorDocument) {
    const { title, identity, failed } = document;
    if (!identity) throw new Error('the document identifies no account');
    this.#title = title;
    this.#decode = identity.request.decode;
    this.#request = new RequestBuilder(`${title}’s account`, document, identity.request);
    this.#subject = compileBounded(identity.subject);
    this.#account = compileBounded(identity.account);
    this.#failed = failed === undefined ? undefined : compileBounded(failed);
  }

  /** Returns the request by which a connection is tried. @throws ProviderError */
  request(variables: Variables): WireRequest {
    return this.#request.first(inputOf(variables));
  }

  /** Reads who the account is. @throws ProviderError `malformed` for an answer without it; SyntaxError */
  read({ bytes, headers }: Answer, variables: Variables): DocumentAnswers['identity'] {
    const input = { ...inputOf(variables), response: decode(this.#decode, bytes), headers };
    const failedBody = failedBodyOf(this.#failed, input);
    if (failedBody) return failedBody;
    const [id = '', name = ''] = [this.#subject, this.#account].map((expression) =>
      scalarText(evaluate(`${this.#title}’s account`, expression, input)),
    );
    if (id === '') throw new ProviderError('malformed', `${this.#title} does not say whose account it is.`);
    return { subject: id, account: name === '' ? id : name };
  }
}
