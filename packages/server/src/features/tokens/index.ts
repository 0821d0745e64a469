export { isPassword } from './passwords.ts';
export { parseShareId, type ShareOwner, shareIdOf, sharePathOf } from './share-links.ts';
export {
  chargeRows,
  createToken,
  deleteTokens,
  findGrantById,
  findSharedGrant,
  findTokenGrant,
  isApiToken,
  isReading,
  isUsedUp,
  listTokens,
  revokeToken,
  type TokenGrant,
  tokenExhausted,
} from './tokens.ts';
export { addTokenUse, deleteOldTokenUses, listTokenUses, type TokenUse } from './uses.ts';
