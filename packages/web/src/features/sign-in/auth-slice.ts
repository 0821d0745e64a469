import { createSlice, type PayloadAction } from '@reduxjs/toolkit';

export interface AuthState {
  error: string | null;
  authToken: string | null;
}

const initialState: AuthState = { error: null, authToken: null };

/** The token of the signed-in user. The store's listeners keep the stored copies of the token. */
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
    signedOut: () => initialState,
  },
});

export const { signedIn, signInFailed, signedOut } = authSlice.actions;

interface RootWithAuth {
  auth: AuthState;
}
export const selectToken = (state: RootWithAuth) => state.auth.authToken;
