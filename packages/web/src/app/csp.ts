import { setNonce } from 'get-nonce';
import { cspNonce } from '../ui/csp-nonce.ts';

/** Hands the page's nonce to Radix; the code editor takes it itself, the toasts in public/boot.js. */
export function applyNonce(): void {
  const nonce = cspNonce();
  if (nonce !== '') setNonce(nonce);
}
