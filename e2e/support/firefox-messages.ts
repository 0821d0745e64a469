/**
 * Closes the gaps between Playwright 1.65 and a distribution's Firefox, which it drives by WebDriver BiDi, at the place
 * where messages are written and read:
 * - Firefox does not know `emulation.setMediaFeaturesOverride`, and Playwright sends it for each page. Tests that emulate
 *   media are skipped in Firefox; elsewhere a message that changes nothing takes its place.
 * - Playwright sets the value of a field in a way that React does not notice; `insertText` is what a person's typing does.
 * - In Firefox a download of a page's own data has no id, and Playwright ignores downloads without one.
 */
export function adaptMessagesToFirefox(): void {
  const { stringify, parse } = JSON;
  JSON.stringify = ((value: unknown, ...rest: []) => {
    const isMedia = methodOf(value) === 'emulation.setMediaFeaturesOverride';
    const text = stringify(
      isMedia ? { ...Object(value), method: 'session.status', params: {} } : value,
      ...rest,
    );
    return typeof text === 'string' && text.includes('__pw_bidiInsertText(')
      ? text.replace(/window\.__pw_bidiInsertText\((\w+)\)/g, "document.execCommand('insertText', false, $1)")
      : text;
  }) as typeof JSON.stringify;
  JSON.parse = ((text: string, ...rest: []) => {
    const value: unknown = parse(text, ...rest);
    if (methodOf(value)?.startsWith('browsingContext.download')) {
      const { params } = value as { params: { url: string; download?: string; navigation: string | null } };
      if (params.navigation === null) params.download ??= params.url;
    }
    return value;
  }) as typeof JSON.parse;
}

function methodOf(message: unknown): string | undefined {
  if (typeof message !== 'object' || message === null || !('method' in message)) return undefined;
  return typeof message.method === 'string' ? message.method : undefined;
}
