export {
  chargeRows,
  createToken,
  deleteTokens,
  findTokenGrant,
  isApiToken,
  listTokens,
  revokeToken,
  type TokenGrant,
  tokenExhausted,
} from './tokens.ts';
export { addTokenUse, deleteOldTokenUses, listTokenUses, type TokenUse } from './uses.ts';
