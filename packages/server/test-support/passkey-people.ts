import type {
  ErrorBody,
  NewCredential,
  Passkey,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
  Passkeys,
} from '@datadeck/contract';
import { expect } from 'vitest';
import { issueLinkToken, linkedUser } from '../src/features/accounts/index.ts';
import { type Cbor, type Deviation, SoftwareAuthenticator } from './software-authenticator.ts';
import { Client, type TestServer } from './test-server.ts';

/** Origin of the server in tests of passkeys: its PUBLIC_URL. */
export const PASSKEY_ORIGIN = 'https://data.example.org';

/** What a server answers to a passkey that it does not accept for signing in. */
export const NOT_ACCEPTED =
  'This passkey was not accepted. It may have been removed from its account. Sign in another way.';

/** The answer to a request. */
export interface Answer<Body> {
  status: number;
  body: Body & Partial<ErrorBody>;
}

/** Returns status and error code. */
export const codeOf = ({ status, body }: Answer<unknown>) => [status, body.error?.code];

/** An attestation by the key of the passkey itself. */
export function selfAttestation(sig: Buffer) {
  const attStmt = new Map<string, Cbor>([
    ['alg', -7],
    ['sig', sig],
  ]);
  return { fmt: 'packed', attStmt };
}

/** People with browsers who add passkeys and sign in with them. */
export class PasskeyPeople {
  readonly #server: TestServer;
  #count = 0;

  constructor(server: TestServer) {
    this.#server = server;
  }

  /** Returns a browser with an address of its own, as sign-ins are limited by address. */
  newClient(): Client {
    this.#count += 1;
    return new Client(this.#server, `10.0.${this.#count >> 8}.${this.#count & 255}`);
  }

  /** Signs in as a new person by a printed link. */
  async newPerson(): Promise<{ client: Client; id: string }> {
    const { db } = this.#server.product.context;
    const client = this.newClient();
    const { id } = await linkedUser(db, `person-${this.#count}@home.example`);
    client.token = await issueLinkToken(db, id);
    return { client: await client.exchange(), id };
  }

  /** Sends a request with the cookies of the browser. */
  async send<Body>(client: Client, path: string, body?: object): Promise<Answer<Body>> {
    const { status, html } = await client.navigator.visit(this.#server.url + path, {
      method: 'POST',
      headers: {
        ...(client.token !== '' && { authorization: `Bearer ${client.token}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status, body: JSON.parse(html) };
  }

  /** Begins to add a passkey. */
  async start(client: Client): Promise<PasskeyCreationOptions> {
    const { status, body } = await this.send<PasskeyCreationOptions>(client, '/auth/passkeys/new');
    expect(status, JSON.stringify(body)).toBe(200);
    return body;
  }

  /** Sends a new credential. */
  finish(client: Client, credential: NewCredential, name = 'Phone'): Promise<Answer<Passkey>> {
    return this.send<Passkey>(client, '/auth/passkeys', { name, credential });
  }

  /** Adds a passkey to the account of the client. */
  async add(client: Client, deviation: Deviation = {}): Promise<SoftwareAuthenticator> {
    const authenticator = new SoftwareAuthenticator(this.#server.product.publicUrl());
    const credential = authenticator.create(await this.start(client), deviation);
    const { status, body } = await this.finish(client, credential);
    expect(status, JSON.stringify(body)).toBe(201);
    return authenticator;
  }

  /** Begins a sign-in. */
  async challenge(client: Client): Promise<PasskeyRequestOptions> {
    const { status, body } = await this.send<PasskeyRequestOptions>(client, '/auth/passkeys/challenge');
    expect(status, JSON.stringify(body)).toBe(200);
    return body;
  }

  /** Sends the proof of a passkey. */
  prove(client: Client, credential: unknown): Promise<Answer<{ token: string }>> {
    return this.send<{ token: string }>(client, '/auth/passkeys/sign-in', { credential });
  }

  /** Signs in with a passkey in a new browser. */
  async signIn(authenticator: SoftwareAuthenticator, deviation: Deviation = {}) {
    const client = this.newClient();
    const answer = await this.prove(client, authenticator.get(await this.challenge(client), deviation));
    client.token = answer.body.token ?? '';
    return { client, ...answer };
  }

  /** Returns the passkeys of the client's account. */
  async list(client: Client): Promise<Passkey[]> {
    return (await client.get<Passkeys>('/api/accounts/passkeys')).passkeys;
  }
}
