import { setNonce } from 'get-nonce';
import { cspNonce } from '../ui/csp-nonce.ts';

/** Hands the page's nonce to Radix; Emotion and CodeMirror take it where they are used, goober in public/boot.js. */
export function applyNonce(): void {
  const nonce = cspNonce();
  if (nonce !== '') setNonce(nonce);
}
