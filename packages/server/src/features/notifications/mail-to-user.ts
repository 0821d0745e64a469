import { AppError } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import { type Mail, MailRefused, sendMail } from '../../platform/mail.ts';
import { findUser, setNoticeMails } from '../accounts/index.ts';
import type { DeliveryOutcome } from './outbox.ts';

/** Returns the address to which mails for a user are sent; null if this installation sends none, or the address is not verified. */
export async function mailAddressOf(context: Context, userId: string): Promise<string | null> {
  if (context.config.mail === undefined) return null;
  const user = await findUser(context.db, userId);
  // The user who typed an address may not own it.
  return (user?.emailVerified && user.email) || null;
}

/** Checks that mails can be sent to a user. @throws AppError validation-failed */
export async function requireMail(context: Context, userId: string): Promise<void> {
  if ((await mailAddressOf(context, userId)) !== null) return;
  const reason =
    context.config.mail === undefined
      ? 'This installation sends no mails: its operator has not set SMTP_URL'
      : 'Your account has no verified mail address';
  throw new AppError('validation-failed', `${reason}.`, { fields: { email: reason } });
}

/** Switches mails about failed syncs, alerts and expiring tokens on or off. @throws AppError validation-failed */
export async function saveNoticeMail(context: Context, userId: string, email: boolean): Promise<void> {
  if (email) await requireMail(context, userId);
  await setNoticeMails(context.db, userId, email);
}

/** Makes one attempt to mail a user at the verified address of the account; without one, the failure is final. */
export async function mailToUser(
  context: Context,
  userId: string,
  message: Omit<Mail, 'to'>,
): Promise<DeliveryOutcome> {
  const { mail } = context.config;
  const to = await mailAddressOf(context, userId);
  if (mail === undefined || to === null)
    return { isDelivered: false, isFinal: true, message: 'This installation sends no mails to you.' };
  try {
    return {
      isDelivered: true,
      message: `The mail server answered ${await sendMail(mail, { to, ...message })}`,
    };
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error;
    context.log.warn({ err: error.cause, userId }, 'could not send a mail');
    return { isDelivered: false, message: error.message };
  }
}
