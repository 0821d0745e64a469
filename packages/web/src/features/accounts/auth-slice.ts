import type { Profile } from '@datadeck/contract';
import { createSlice, type PayloadAction } from '@reduxjs/toolkit';

export interface AuthState {
  user: Profile | null;
  error: string | null;
  authToken: string | null;
}

const initialState: AuthState = { user: null, error: null, authToken: null };

/** The signed-in user and token. The store's listeners keep the stored copies of the token. */
export const authSlice = createSlice({
  name: 'auth',
  initialState,
  reducers: {
    signedIn: (state, { payload }: PayloadAction<string>) => {
      state.authToken = payload;
      state.error = null;
    },
    signInFailed: (state, { payload }: PayloadAction<string>) => {
      state.error = payload;
    },
    profileLoaded: (state, { payload }: PayloadAction<Profile>) => {
      state.user = payload;
    },
    signedOut: () => initialState,
  },
});

export const { signedIn, signInFailed, profileLoaded, signedOut } = authSlice.actions;

interface RootWithAuth {
  auth: AuthState;
}
export const selectToken = (state: RootWithAuth) => state.auth.authToken;
export const selectUser = (state: RootWithAuth) => state.auth.user;
