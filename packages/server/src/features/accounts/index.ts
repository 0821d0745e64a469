export {
  countByPlan,
  countSessions,
  listMethodProviders,
  listPasskeyOwners,
  searchUsers,
} from './account-list.ts';
export {
  administratorOnly,
  changePlan,
  lockAdministeredAccount,
  requireNoAdministrator,
  setAdministrator,
  signOutEverywhere,
  verifyAddress,
} from './administration.ts';
export {
  type Actor,
  deleteOldAuditEntries,
  findLastActor,
  listAuditEntries,
  recordAction,
  SHELL,
} from './audit-log.ts';
export {
  type AttemptOwner,
  type AuthAttempt,
  consumeAttempt,
  createAttempt,
  deleteExpiredAttempts,
  isLinkState,
} from './auth-attempts.ts';
export {
  addPasskey,
  signInWithPasskey,
  startPasskey,
  startPasskeySignIn,
} from './passkey-ceremonies.ts';
export { isPasskeyStored, listPasskeys, removePasskey, renamePasskey } from './passkeys.ts';
export { type RelyingParty, relyingPartyOf } from './relying-party.ts';
export {
  announceSessionsEnd,
  closeSessions,
  deleteExpiredSessions,
  onSessionEnd,
  openSession,
  SESSION_DAYS,
  SessionFinder,
} from './sessions.ts';
export { createSignInLink, isWaitingForOwner, LINK_PATH, linkedUser } from './sign-in-link.ts';
export { linkIdentity, listSignInMethods, removeSignInMethod } from './sign-in-methods.ts';
export {
  deleteExpiredSignInTokens,
  exchangeSignInToken,
  issueLinkToken,
  issueSignInToken,
  LINK_MINUTES,
  previewSignIn,
} from './sign-in-tokens.ts';
export { SESSION_TABLES } from './tables.ts';
export {
  createDemoUser,
  deleteUser,
  findIdleDemoUsers,
  findOrCreateUser,
  findUser,
  findUsersByIdOrEmail,
  listIdentities,
  listUsers,
  lockAccount,
  lockAccountForDeletion,
  mayAdminister,
  readTimeZone,
  requireTimeZone,
  setNoticeMails,
  setPlan,
  toProfile,
  type User,
  updateProfile,
  wantsNoticeMails,
} from './users.ts';
