import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { AppError } from '../../platform/app-error.ts';
import { OpenCounter } from '../../platform/open-counter.ts';

/** Cost of a hash: 32 MB and about 80 ms, in a thread of the runtime. */
const COST = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 } as const;
const HASH_BYTES = 32;
/** Hashes that are computed or wait for it; each computed one takes a thread that files use as well. */
const MAX_HASHES = 8;
/** Those of one share, whose password many networks may try, or of one user, who creates tokens. */
const MAX_OF_ONE = 3;

const open = new OpenCounter();

async function derive(password: string, salt: Buffer, cause: string): Promise<Buffer> {
  const release = open.acquire(
    { all: MAX_HASHES, [cause]: MAX_OF_ONE },
    () =>
      new AppError('rate-limited', 'Too many passwords are being checked. Try again in a moment.', {
        retryAfter: 2,
      }),
  );
  try {
    return await new Promise<Buffer>((resolve, reject) => {
      // People type the same password in different normal forms.
      scrypt(password.normalize('NFKC'), salt, HASH_BYTES, COST, (error, hash) =>
        error === null ? resolve(hash) : reject(error),
      );
    });
  } finally {
    release();
  }
}

/**
 * Hashes a password with a new salt: `<salt>.<hash>` in base64url.
 * @param cause whose turn it is, such as `user 7f…`
 * @throws AppError rate-limited
 */
export async function hashPassword(password: string, cause: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(password, salt, cause);
  return `${salt.toString('base64url')}.${hash.toString('base64url')}`;
}

/** Returns whether a password has this hash. @param cause whose turn it is, such as `share 7f…` @throws AppError rate-limited */
export async function isPassword(password: string, stored: string, cause: string): Promise<boolean> {
  const [salt = '', hash = ''] = stored.split('.').map((part) => Buffer.from(part, 'base64url'));
  return timingSafeEqual(await derive(password, Buffer.from(salt), cause), Buffer.from(hash));
}
