import type { Clock } from '@datadeck/connectors';
import { createSandbox, type SandboxControl, type TestSandbox } from '@datadeck/test-sandbox';
import { type Config, parseConfig } from '../src/platform/config/config.ts';
import { createLogger } from '../src/platform/log.ts';
import { type RunningServer, startServer } from '../src/server.ts';
import { Navigator } from './navigator.ts';
import { makeTemporaryFolder, removeDataFolder } from './temporary-folder.ts';
import { createDatabase, createTestDatabase } from './test-database.ts';

/** A complete server with its own data folder and sandbox, without the web app. */
export interface TestServer extends RunningServer {
  config: Config;
  control: SandboxControl;
  /** The address of the clients of this test file, by which limits count; loopback when missing. */
  address?: string;
  /** Stops the server and removes its folder. */
  remove(): Promise<void>;
}

interface TestServerOptions {
  /** The clock of waits for providers. Default: real time. */
  clock?: Clock;
  /** Longest live evaluation including the process start, ms. Default: enough for a busy machine. */
  liveMs?: number;
  /** Starts a separate embedded PostgreSQL, which may be killed; ignored with TEST_DATABASE_URL. */
  hasOwnPostgres?: boolean;
  /** Receives the lines of the log instead of standard output. */
  logTo?: { write(line: string): void };
}

/** Starts a server for a test: separate database, free port, no quota. */
export async function startTestServer(
  { ROLE, ...environment }: Record<string, string> = {},
  { clock, liveMs = 30_000, hasOwnPostgres = false, logTo }: TestServerOptions = {},
): Promise<TestServer> {
  const folder = makeTemporaryFolder('datadeck-test-');
  const database = await (hasOwnPostgres ? createTestDatabase() : createDatabase());
  const parsed = parseConfig({
    DATA_DIR: folder,
    PORT: '0',
    LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
    WEB_APP: 'off',
    SANDBOX: 'on',
    TRUSTED_PROXIES: 'loopback',
    SANDBOX_QUOTA_SCALE: '0',
    ...(database && { DATABASE_URL: database.url }),
    ...(database?.directUrl !== undefined && { DATABASE_DIRECT_URL: database.directUrl }),
    ...environment,
  });
  // `parseConfig` refuses a role with an embedded database, which no other process shares.
  const config = { ...parsed, ...(ROLE !== undefined && { ROLE: ROLE as Config['ROLE'] }) };
  let sandbox: TestSandbox | undefined;
  const server = await startServer(config, createLogger(config.LOG_LEVEL, logTo), {
    clock,
    liveMs,
    createSandbox: (options) => {
      sandbox = createSandbox(options);
      return sandbox;
    },
  });
  return {
    ...server,
    config,
    get control() {
      if (!sandbox) throw new Error('the sandbox does not run');
      return sandbox.control;
    },
    remove: async () => {
      await server.stop();
      await database?.drop();
      removeDataFolder(folder);
    },
  };
}

/** An API client with a signed-in user. */
export class Client {
  readonly #server: Pick<TestServer, 'url'>;
  readonly #headers: Record<string, string>;
  readonly navigator: Navigator;
  token = '';

  /** @param address client address sent as X-Forwarded-For, by which limits per address count */
  constructor(server: Pick<TestServer, 'url' | 'address'>, address = server.address) {
    this.#server = server;
    this.#headers = address === undefined ? {} : { 'x-forwarded-for': address };
    this.navigator = new Navigator(this.#headers);
  }

  /** Calls from another address from now on. */
  callFrom(address: string): void {
    // The navigator has the same headers.
    this.#headers['x-forwarded-for'] = address;
  }

  /** Signs in with Google as one of the sandbox's accounts. */
  async signIn(email: string): Promise<this> {
    this.token = await this.returnFromSignIn(email);
    return this.exchange();
  }

  /** Completes Google's pages as one of the sandbox's accounts. @returns the sign-in token of `res` */
  async returnFromSignIn(email: string): Promise<string> {
    const chooser = await this.navigator.visit(`${this.#server.url}/auth/google?intent=sign-in`);
    let page = await this.navigator.submit(chooser, new RegExp(email.replaceAll('.', '\\.')));
    if (page.html.includes('<form')) page = await this.navigator.submit(page, /value="allow"/);
    const result = JSON.parse(page.url.searchParams.get('res') ?? '{}') as { token?: string; error?: string };
    if (!result.token) throw new Error(`not signed in: ${result.error ?? page.url.href}`);
    return result.token;
  }

  /** Exchanges the sign-in token for a session token, like the web app. */
  async exchange(): Promise<this> {
    const headers = { authorization: `Bearer ${this.token}` };
    const page = await this.navigator.visit(`${this.#server.url}/auth/sign-in`, { method: 'POST', headers });
    if (page.status !== 200) throw new Error(`not signed in: ${page.status} ${page.html}`);
    this.token = (JSON.parse(page.html) as { token: string }).token;
    return this;
  }

  /** Signs in as a demo user. */
  async demo(): Promise<this> {
    const { token } = await this.get<{ token: string }>('/auth/demo');
    this.token = token;
    return this;
  }

  /**
   * Connects a provider as one of the sandbox's accounts. @param access access beyond the least, e.g. `private`
   * @returns the `provider` parameter of the redirect
   */
  async connect(
    provider: 'google' | 'github' | 'outlook',
    account: string,
    access?: string,
  ): Promise<string | null> {
    const parameters = await this.returnFromConsent(
      provider,
      account,
      access === undefined ? {} : { access },
    );
    return parameters.get('provider');
  }

  /** Completes the consent page of a provider. @returns the parameters of the redirect */
  async returnFromConsent(
    provider: 'google' | 'github' | 'outlook',
    account: string,
    options: Record<string, string> = {},
  ): Promise<URLSearchParams> {
    const query = Object.keys(options).length === 0 ? '' : `?${new URLSearchParams(options)}`;
    let page = await this.navigator.visit(`${this.#server.url}/auth/${provider}${query}`);
    if (provider !== 'github')
      page = await this.navigator.submit(page, new RegExp(account.replaceAll('.', '\\.')));
    const choice = page.html.split('<label').find((label) => label.includes(`>${account}<`));
    const chosen = choice?.match(/value="([^"]*)"/)?.[1];
    const change = provider === 'github' && chosen !== undefined ? { account: chosen } : {};
    if (page.html.includes('<form')) page = await this.navigator.submit(page, /value="allow"/, change);
    return page.url.searchParams;
  }

  async call(method: string, path: string, body?: unknown): Promise<Response> {
    return fetch(this.#server.url + path, {
      method,
      headers: {
        ...this.#headers,
        ...(this.token ? { authorization: `Bearer ${this.token}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  /** Sends a request that must succeed and returns its response. */
  async json<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await this.call(method, path, body);
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text) as T;
  }

  get<T>(path: string): Promise<T> {
    return this.json<T>('GET', path);
  }

  post<T>(path: string, body?: unknown): Promise<T> {
    return this.json<T>('POST', path, body);
  }
}
