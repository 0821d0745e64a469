import { setNonce } from 'get-nonce';
import { cspNonce } from '../ui/csp-nonce.ts';

declare global {
  interface Window {
    /** Read by goober, which writes the styles of react-hot-toast. */
    __nonce__?: string;
  }
}

/** Hands the page's nonce to the libraries that write styles at run time (Emotion and CodeMirror take it where they are used). */
export function applyNonce(): void {
  const nonce = cspNonce();
  if (nonce === '') return;
  setNonce(nonce);
  window.__nonce__ = nonce;
}
