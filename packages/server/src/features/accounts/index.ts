export { type AuthAttempt, consumeAttempt, createAttempt, deleteExpiredAttempts } from './auth-attempts.ts';
export {
  announceSessionsEnd,
  closeSessions,
  deleteExpiredSessions,
  onSessionEnd,
  openSession,
  SESSION_DAYS,
  SessionFinder,
} from './sessions.ts';
export {
  deleteExpiredSignInTokens,
  exchangeSignInToken,
  issueSignInToken,
  previewSignIn,
} from './sign-in-tokens.ts';
export {
  createDemoUser,
  deleteUser,
  findIdleDemoUsers,
  findOrCreateUser,
  findUser,
  findUsersByIdOrEmail,
  listUsers,
  lockAccount,
  lockAccountForDeletion,
  setPlan,
  toProfile,
  type User,
} from './users.ts';
