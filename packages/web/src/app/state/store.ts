import {
  combineReducers,
  configureStore,
  createListenerMiddleware,
  isAnyOf,
  isFulfilled,
  isRejected,
  type Middleware,
} from '@reduxjs/toolkit';
import { clearToken, storeToken } from '../../api/auth-token.ts';
import { baseApi } from '../../api/base-api.ts';
import { errorOf } from '../../api/failure.ts';
import { removeJson } from '../../api/json-storage.ts';
import { sessionEnded } from '../../api/session-ended.ts';
import { DRAFT_KEY, INPUTS_KEY } from '../../features/queries/draft-key.ts';
import { authSlice, signedIn, signedOut } from '../../features/sign-in/auth-slice.ts';
import {
  announceEndedSession,
  forgetEndedSession,
  rememberEndedSession,
  retractEndedSession,
} from '../../features/sign-in/ended-session.ts';
import { announceFailedLoad } from './failed-loads.ts';
import { announceFailedSyncs, isAboutSyncs } from './failed-syncs.ts';

const reducer = combineReducers({
  [baseApi.reducerPath]: baseApi.reducer,
  [authSlice.name]: authSlice.reducer,
});

export type RootState = ReturnType<typeof reducer>;

/** Returns whether an action belongs to a call of this endpoint. */
function isOf({ meta }: { meta: { arg: unknown } }, endpoint: string): boolean {
  const { arg } = meta;
  return typeof arg === 'object' && arg !== null && 'endpointName' in arg && arg.endpointName === endpoint;
}

/** Calls whose 401 does not mean that the session ended: `logout` ends it, the others send no session token. */
const CALLS_WITHOUT_SESSION = ['logout', 'signInPreview', 'signIn', 'signInWithPasskey'];

/** Returns true for an action that shows that the server rejects the session. */
function isSessionRejected(action: unknown): boolean {
  if (sessionEnded.match(action)) return true;
  if (!isRejected(action) || CALLS_WITHOUT_SESSION.some((endpoint) => isOf(action, endpoint))) return false;
  const { payload } = action;
  return typeof payload === 'object' && payload !== null && 'status' in payload && payload.status === 401;
}

/** Returns true while the user logs out or deletes the account; the end of the session is expected then. */
function isLeaving({ api }: RootState): boolean {
  return Object.values(api.mutations).some(
    (call) =>
      call?.status === 'pending' && (call.endpointName === 'logout' || call.endpointName === 'deleteAccount'),
  );
}

/** Connects features that must not import each other: one reacts to the other's actions. */
function createListeners() {
  const listeners = createListenerMiddleware<RootState>();
  listeners.startListening({
    actionCreator: signedIn,
    effect: ({ payload }) => {
      retractEndedSession();
      storeToken(payload);
    },
  });
  listeners.startListening({
    matcher: isAnyOf(signedOut),
    effect: (_, api) => {
      // Keep the stored data if it belongs to the account of another tab.
      forgetEndedSession();
      if (clearToken()) {
        removeJson(DRAFT_KEY);
        removeJson(INPUTS_KEY);
      }
      api.dispatch(baseApi.util.resetApiState());
    },
  });
  listeners.startListening({
    predicate: (action, state) =>
      isSessionRejected(action) && state.auth.authToken !== null && !isLeaving(state),
    effect: (_, api) => {
      announceEndedSession();
      api.dispatch(signedOut());
      rememberEndedSession();
    },
  });
  listeners.startListening({ matcher: isRejected, effect: announceFailedLoad });
  const announceFailures = announceFailedSyncs();
  listeners.startListening({
    predicate: isAboutSyncs,
    effect: (action, { getState }) => announceFailures(getState(), action),
  });
  // A refused call may be the first sign that a provider must be connected again.
  listeners.startListening({
    predicate: (action) => isRejected(action) && errorOf(action.payload)?.code === 'reconnect-needed',
    effect: (_, api) => void api.dispatch(baseApi.util.invalidateTags(['Providers'])),
  });
  return listeners.middleware;
}

const isAccountDeleted = (action: unknown) => isFulfilled(action) && isOf(action, 'deleteAccount');

/** Signs out before the cache refetches the data of a deleted account, which would all fail with 401. */
const signOutFirst: Middleware = (store) => (next) => (action) => {
  if (isAccountDeleted(action)) store.dispatch(signedOut());
  return next(action);
};

/** Creates the store of the app. Its state changes are not logged. */
export function createStore() {
  return configureStore({
    reducer,
    middleware: (defaults) => defaults().prepend(createListeners(), signOutFirst).concat(baseApi.middleware),
    // Not with the next frame, which is the default: a page in the background has none.
    enhancers: (defaults) => defaults({ autoBatch: { type: 'tick' } }),
  });
}

export type AppStore = ReturnType<typeof createStore>;
export type AppDispatch = AppStore['dispatch'];
