/** The reference of the API, `/api/v1/reference`: Scalar's script, which the build serves as a file, over our description. */
import scalarUrl from 'virtual:scalar';

interface Scalar {
  createApiReference(selector: string, configuration: object): void;
}

const CONFIGURATION = {
  url: '/api/v1/openapi.json',
  servers: [{ url: location.origin }],
  // Nothing is loaded from or sent to other servers.
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  persistAuth: false,
  authentication: { preferredSecurityScheme: 'token' },
  // Scalar's own colors of secondary text and of code have contrasts below 4.5.
  customCss: `.light-mode { --scalar-color-3: #6b6b6b; --scalar-color-orange: #b34700; --scalar-color-green: #05714b;
      --scalar-color-blue: #0068b5; --scalar-color-red: #c8102e; --scalar-color-yellow: #7a5500 }
    .dark-mode { --scalar-color-3: #9a9a9a }`,
};

const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.content ?? '';
const createElement = document.createElement.bind(document);
// Scalar leaves out the nonce for the style elements of its theme.
document.createElement = (name: string, options?: ElementCreationOptions) => {
  const element = createElement(name, options);
  if (element instanceof HTMLStyleElement) element.nonce = nonce;
  return element;
};

const script = document.createElement('script');
script.src = scalarUrl;
script.addEventListener('load', () => {
  const { Scalar } = globalThis as unknown as { Scalar: Scalar };
  Scalar.createApiReference('#reference', CONFIGURATION);
});
document.head.append(script);
