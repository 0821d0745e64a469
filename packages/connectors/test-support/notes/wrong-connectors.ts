import type { WrongConnector } from './wrong-connector.ts';
import { WRONG_PAGES } from './wrong-pages.ts';
import { WRONG_STATEMENTS } from './wrong-statements.ts';

/** The faulty connectors that the suite must detect. */
export const WRONG_CONNECTORS: readonly WrongConnector[] = [...WRONG_PAGES, ...WRONG_STATEMENTS];
