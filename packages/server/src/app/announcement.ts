import { createSignInLink, isWaitingForOwner, LINK_MINUTES, linkedUser } from '../features/accounts/index.ts';
import type { Config } from '../platform/config/config.ts';
import type { Product } from './product.ts';

/** E-mail address of the account that the first start creates when no sign-in provider is configured. */
const OWNER = 'owner@localhost';
const NO_PROVIDER = 'No sign-in provider is configured (docs/run/sign-in.md).';

/** Says where the data is kept, without the database's password. */
function describeData({ DATABASE_URL, DATA_DIR }: Config): string {
  if (DATABASE_URL === undefined) return `Your data is kept in ${DATA_DIR}.`;
  const { hostname, port, pathname } = new URL(DATABASE_URL);
  const host = port === '' ? hostname : `${hostname}:${port}`;
  return `Your data is kept in the database ${decodeURIComponent(pathname.slice(1))} on ${host}.`;
}

/** Prints a link for the owner until somebody has signed in; later, how to get one. */
async function describeLink({ context, publicUrl }: Product): Promise<string[]> {
  const { db, log } = context;
  try {
    if (await isWaitingForOwner(db, OWNER)) {
      const { id } = await linkedUser(db, OWNER);
      const link = await createSignInLink(db, id, publicUrl());
      return [
        `${NO_PROVIDER} This link signs you in, once and within ${LINK_MINUTES} minutes:`,
        '',
        link,
        '',
      ];
    }
  } catch (error) {
    log.warn({ err: error }, 'could not create a sign-in link');
  }
  return [`${NO_PROVIDER} 'datadeck login EMAIL' prints a link that signs you in.`];
}

async function describeSignIn(product: Product): Promise<string[]> {
  const { config } = product.context;
  if (config.sandbox)
    return [
      `Sign in with Google and choose a sample account${config.DEMO === 'on' ? ', or continue as Demo User' : ''}.`,
      'Gmail and GitHub are emulated. For the real ones see docs/run/gmail-and-github.md.',
    ];
  const titles = product.signInProviders.map(({ title }) => title);
  return titles.length === 0 ? describeLink(product) : [`Sign in with ${titles.join(', ')}.`];
}

/** Returns the lines that a start prints: the address, where the data is, and how to sign in. */
export async function announcementOf(product: Product): Promise<string[]> {
  const { config } = product.context;
  const ready = [`Datadeck is ready at ${product.publicUrl()}`];
  if (config.ROLE === 'worker') return ready;
  return [...ready, describeData(config), ...(await describeSignIn(product))];
}
