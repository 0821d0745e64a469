/** The nonce of style elements that public/boot.js read from the page; empty in development and tests. */
export const STYLE_NONCE = (globalThis as { __nonce__?: string }).__nonce__ ?? '';
