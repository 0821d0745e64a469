import type { ReadStored } from '../src/sdk/connector.ts';

/** Reads the records of a scope of which none is stored. */
export const nothingStored: ReadStored = async function* () {};
