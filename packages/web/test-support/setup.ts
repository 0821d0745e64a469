import { configure } from '@testing-library/react';
import { config } from 'zod';

config({ jitless: true });
// What comes at all comes at once on a quiet machine; a busy one gets time.
configure({ asyncUtilTimeout: 20_000 });

// Radix measures and scrolls; jsdom does neither.
class SilentResizeObserver implements ResizeObserver {
  observe() {}
  unobserve() {}
  disconnect() {}
}
globalThis.ResizeObserver ??= SilentResizeObserver;
Element.prototype.scrollIntoView ??= () => {};
Element.prototype.hasPointerCapture ??= () => false;
window.matchMedia ??= (media: string) =>
  Object.assign(new EventTarget(), {
    media,
    matches: false,
    onchange: null,
    addListener() {},
    removeListener() {},
  });
