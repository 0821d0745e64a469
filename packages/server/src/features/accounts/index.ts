export { type AuthAttempt, beginAttempt, deleteExpiredAttempts, takeAttempt } from './auth-attempts.ts';
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
  closeAccount,
  createDemoUser,
  deleteUser,
  findIdleDemoUsers,
  findOrCreateUser,
  findUser,
  findUsersByIdOrEmail,
  listUsers,
  lockAccount,
  setPlan,
  toProfile,
  type User,
} from './users.ts';
