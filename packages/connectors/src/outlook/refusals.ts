import * as oauth from 'openid-client';
import { ProviderError, translateOAuthError } from '../sdk/index.ts';

export const TITLE = 'Microsoft';

/** Who can help after a refusal: the person, the administrator of the organization or of this Datadeck, or time. */
type Refusal = 'person' | 'organization' | 'setup' | 'later';

const ADMIN_CONSENT =
  'The organization lets only an administrator allow this app. Ask one to approve it in the Entra admin center under Enterprise applications → Permissions → Grant admin consent, then connect again.';
const MULTI_FACTOR =
  'The organization asks for a second factor. Connect Outlook again and complete the additional step that Microsoft shows.';
const CONDITIONAL_ACCESS =
  'A Conditional Access policy of the organization blocks this sign-in. Its administrator sees which one in the Entra admin center under Sign-in logs.';
const DEVICE =
  'A Conditional Access policy accepts managed devices only, and the server of Datadeck is none. The administrator of the organization can exempt this app.';
const SIGN_IN_ENDED =
  'The access ended, because the password was changed, it was withdrawn, or it was not used for long. Connect Outlook again.';
const SECRET =
  'The client secret of this Datadeck is wrong or has expired. Its administrator creates a new one in the Entra admin center and sets MICROSOFT_CLIENT_SECRET.';
const TENANT =
  'This app does not accept accounts of this organization. The administrator of this Datadeck sets MICROSOFT_TENANT and the supported account types of the app registration to match.';
const ACCOUNT_OFF = 'The account is disabled, locked or deleted. Ask the administrator of the organization.';

/** The explained codes of Microsoft's sign-in service: who can help, and what happened with what to do. */
export const EXPLAINED: Readonly<Record<string, readonly [Refusal, string]>> = {
  '65001': [
    'person',
    `Nobody has allowed this app yet, or the permission was withdrawn. Connect Outlook again and accept the permission. ${'If Microsoft shows "Need admin approval", ask an administrator of the organization.'}`,
  ],
  '65004': ['person', 'The permission was not given. Connect Outlook again and choose Accept.'],
  '90094': ['organization', ADMIN_CONSENT],
  '90095': ['organization', ADMIN_CONSENT],
  '900941': ['organization', ADMIN_CONSENT],
  '90008': ['organization', ADMIN_CONSENT],
  '50105': [
    'organization',
    'The organization allows this app to chosen users only. Ask its administrator to add you in the Entra admin center under Enterprise applications → Users and groups.',
  ],
  '50076': ['person', MULTI_FACTOR],
  '50079': ['person', MULTI_FACTOR],
  '50072': ['person', MULTI_FACTOR],
  '50074': ['person', MULTI_FACTOR],
  '50158': ['person', MULTI_FACTOR],
  '50078': ['person', MULTI_FACTOR],
  '53003': ['organization', CONDITIONAL_ACCESS],
  '530031': ['organization', CONDITIONAL_ACCESS],
  '530032': ['organization', CONDITIONAL_ACCESS],
  '53004': ['organization', CONDITIONAL_ACCESS],
  '53011': ['organization', CONDITIONAL_ACCESS],
  '53000': ['organization', DEVICE],
  '53001': ['organization', DEVICE],
  '50097': ['organization', DEVICE],
  '50173': ['person', SIGN_IN_ENDED],
  '50132': ['person', SIGN_IN_ENDED],
  '50133': ['person', SIGN_IN_ENDED],
  '50089': ['person', SIGN_IN_ENDED],
  '70008': ['person', SIGN_IN_ENDED],
  '70043': ['person', SIGN_IN_ENDED],
  '700082': ['person', SIGN_IN_ENDED],
  '700084': ['person', SIGN_IN_ENDED],
  '54005': ['person', 'The sign-in was used twice. Connect Outlook again.'],
  '50053': ['organization', ACCOUNT_OFF],
  '50057': ['organization', ACCOUNT_OFF],
  '50034': ['organization', ACCOUNT_OFF],
  '500341': ['organization', ACCOUNT_OFF],
  '50020': ['setup', TENANT],
  '50194': ['setup', TENANT],
  '90072': ['setup', TENANT],
  '700016': ['setup', `${TENANT} Also check MICROSOFT_CLIENT_ID.`],
  '90002': [
    'setup',
    'There is no organization of the name in MICROSOFT_TENANT. The administrator of this Datadeck corrects it.',
  ],
  '50011': [
    'setup',
    'The redirect address of this Datadeck is not registered. Its administrator adds PUBLIC_URL/auth/outlook/callback to the app registration under Authentication.',
  ],
  '7000215': ['setup', SECRET],
  '7000222': ['setup', SECRET],
  '7000218': ['setup', SECRET],
  '65005': [
    'setup',
    'The app registration lacks the permission IMAP.AccessAsUser.All. The administrator of this Datadeck adds it under API permissions → Microsoft Graph → Delegated permissions.',
  ],
  '500011': ['organization', 'The organization has no Exchange Online, so that there is no mailbox to read.'],
  '50196': ['later', 'Microsoft received too many sign-ins of this app. Try again later.'],
  '90033': ['later', 'The sign-in service of Microsoft is failing. Try again later.'],
  '90055': ['later', 'Microsoft received too many requests. Try again later.'],
};

const CODE = /\bAADSTS(\d{4,9})\b/;
/** Longest part of a description that is searched for a code; it comes first. */
const MAX_DESCRIPTION = 500;

/** Returns the number of the AADSTS code in an error of the library; undefined if there is none. */
function codeOf(error: unknown): string | undefined {
  const isAnswer =
    error instanceof oauth.AuthorizationResponseError || error instanceof oauth.ResponseBodyError;
  const description: unknown = isAnswer ? error.error_description : undefined;
  return typeof description === 'string' ? CODE.exec(description.slice(0, MAX_DESCRIPTION))?.[1] : undefined;
}

/** When a refusal came: while somebody connects, or while the stored access is renewed. */
export type Phase = 'connect' | 'renewal';

function failureOf(refusal: Refusal, phase: Phase): ProviderError['failure'] {
  if (refusal === 'later') return 'unavailable';
  if (refusal === 'setup') return 'invalid';
  return phase === 'renewal' ? 'reauthorise' : 'forbidden';
}

/** Converts an error of an OAuth call to a ProviderError. Of Microsoft's own text it shows the code only. */
export function explainRefusal(error: unknown, phase: Phase): ProviderError {
  const translated = translateOAuthError(error, TITLE);
  const code = codeOf(error);
  const [refusal, sentence] = EXPLAINED[code ?? ''] ?? [];
  if (refusal !== undefined && sentence !== undefined)
    return new ProviderError(failureOf(refusal, phase), `${sentence} (AADSTS${code})`, { cause: error });
  const shown = code === undefined ? '' : ` (AADSTS${code})`;
  if (phase === 'renewal' && translated.failure === 'reauthorise')
    return new ProviderError(
      'reauthorise',
      `Microsoft no longer accepts the access it granted${shown}. Connect Outlook again.`,
      { cause: error },
    );
  if (code === undefined) return translated;
  const { failure } = translated;
  return new ProviderError(failure, `Microsoft did not grant access${shown}.`, { cause: error });
}

/** Runs an OAuth call and explains why Microsoft refused it. @throws ProviderError */
export async function withExplanations<T>(phase: Phase, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw explainRefusal(error, phase);
  }
}
