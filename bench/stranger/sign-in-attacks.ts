import { Client } from '../../packages/server/test-support/test-server.ts';
import { type Attack, newAddress, send, type Target } from './attack.ts';

/** Sign-in tokens that are another's, used up, long or made up. */
async function forgeSignIns(target: Target): Promise<void> {
  const client = new Client(target, newAddress());
  const token = await client.returnFromSignIn(target.email);
  const exchange = (one: string, method = 'POST') =>
    send(target, { method, path: '/auth/sign-in', headers: { authorization: `Bearer ${one}` } });
  await Promise.all([exchange(token, 'GET'), exchange(token), exchange(token), exchange(token)]);
  await exchange(token);
  await Promise.all([crypto.randomUUID(), 'x'.repeat(10_000), '\u00ff', '{}'].map((one) => exchange(one)));
  const res = encodeURIComponent(JSON.stringify({ token, error: null }));
  await send(target, { path: `/?res=${res}` });
  const callbacks = [
    '',
    '?code=x&state=x',
    `?state=${'x'.repeat(9000)}`,
    '?error=%00',
    '?code=x&code=y&state[]=z',
  ];
  await Promise.all(
    callbacks.map((search) =>
      send(target, { path: `/auth/google/callback${search}`, headers: { cookie: 'dd-attempt=x' } }),
    ),
  );
  await Promise.all(Array.from({ length: 20 }, () => send(target, { path: '/auth/google?intent=sign-in' })));
}

/** Attacks on identity. */
export const SIGN_IN_ATTACKS: readonly Attack[] = [
  { name: 'sign-ins', run: forgeSignIns },
  {
    name: 'demo-logins',
    atOnce: 20,
    run: async (target) => {
      await send(target, { path: '/auth/demo' });
    },
  },
];
