/** Who may import whom (ARCHITECTURE.md). The comments are what a person reads when a rule is broken. */
const ORDER = [
  'accounts',
  'tokens',
  'notifications',
  'connections',
  'records',
  'sync',
  'sql-access',
  'schedules',
  'search',
  'templates',
  'queries',
  'views',
  'charts',
  'curves',
  'alerts',
  'boards',
  'shares',
  'connectors',
  'deletion',
];

const WEB_ORDER = [
  'sign-in',
  'notifications',
  'connections',
  'records',
  'sync',
  'templates',
  'charts',
  'expressions',
  'tokens',
  'invitations',
  'sharing',
  'alerts',
  'boards',
  'views',
  'queries',
  'search',
  'board-page',
  'shared-page',
  'shared-with-me',
  'account',
  'administration',
  'connectors',
];

/** Features of a package in an order: one may import only those before it. */
function upward(place, order, { tests, hint = '' }) {
  const feature = (name) => `^packages/${place}/src/features/${name}/`;
  return order.slice(0, -1).map((name, index) => ({
    name: `${place}-${name}-imports-lower-features-only`,
    comment: `Features are ordered (${order.join(' < ')}); '${name}' may import only those before it.${hint}`,
    severity: 'error',
    from: { path: feature(name), pathNot: tests },
    to: { path: feature(`(${order.slice(index + 1).join('|')})`) },
  }));
}

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Two files that need each other are one concept, or hide a third.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'contract-imports-zod-only',
      comment: 'The wire must not depend on either end of it.',
      severity: 'error',
      from: { path: '^packages/contract/' },
      to: { pathNot: ['^packages/contract/', 'node_modules/zod'] },
    },
    {
      name: 'jsonata-stands-alone',
      comment: 'The engine runs in the browser too: nothing of ours, and its parser only.',
      severity: 'error',
      from: { path: '^packages/jsonata/src/', pathNot: '\\.test\\.ts$' },
      to: { pathNot: ['^packages/jsonata/', 'node_modules/jsonata'] },
    },
    {
      name: 'connectors-cannot-reach-the-server',
      comment:
        'A connector knows its provider and the SDK; records reach the database through the engine alone.',
      severity: 'error',
      from: { path: '^packages/connectors/', pathNot: ['\\.test\\.ts$', '/test-support/'] },
      to: { path: '^packages/(server|web|sandbox)/' },
    },
    {
      name: 'expressions-in-the-thread-of-documents-only',
      comment: 'Expressions of connector documents run in their thread; other connectors are code.',
      severity: 'error',
      from: { path: '^packages/connectors/src/(?!declarative/)', pathNot: '\\.test\\.ts$' },
      to: { path: '^packages/jsonata/' },
    },
    {
      name: 'providers-never-import-each-other',
      comment: 'What two providers share belongs into the SDK.',
      severity: 'error',
      from: { path: '^packages/connectors/src/(?!sdk/|mail/)([^/]+)/' },
      to: {
        path: '^packages/connectors/src/[^/]+/',
        // Outlook is read by IMAP (decision 139): entities.ts is what other providers may use of it.
        pathNot: ['^packages/connectors/src/(sdk|mail|$1)/', '^packages/connectors/src/imap/entities\\.ts$'],
      },
    },
    {
      name: 'sdk-knows-no-provider',
      comment: 'The SDK serves every connector alike.',
      severity: 'error',
      from: { path: '^packages/connectors/src/sdk/', pathNot: '\\.test\\.ts$' },
      to: { path: '^packages/connectors/src/(?!sdk/)[^/]+/' },
    },
    {
      name: 'sandbox-stands-alone',
      comment: 'A stand-in that used our own code would prove nothing.',
      severity: 'error',
      from: { path: '^packages/sandbox/', pathNot: ['\\.test\\.ts$', '/test-support/'] },
      to: { path: '^packages/(server|web|connectors|jsonata|contract)/' },
    },
    {
      name: 'test-sandbox-in-tests-only',
      comment:
        'Faults, control and synthetic data are equipment for tests, journeys and benches: no part of the product.',
      severity: 'error',
      from: {
        path: '^packages/',
        pathNot: ['^packages/test-sandbox/', '\\.test\\.ts$', '/test-support/'],
      },
      to: { path: '^packages/test-sandbox/' },
    },
    {
      name: 'sandbox-parts-in-tests-only',
      comment: 'The parts of the sandbox are there for the one package that decorates them.',
      severity: 'error',
      from: { path: '^packages/(server|web|connectors)/', pathNot: ['\\.test\\.ts$', '/test-support/'] },
      to: { path: '^packages/sandbox/src/parts\\.ts$' },
    },
    {
      name: 'test-sandbox-stands-alone',
      comment: 'It decorates the sandbox and knows nothing else of ours.',
      severity: 'error',
      from: { path: '^packages/test-sandbox/', pathNot: '\\.test\\.ts$' },
      to: {
        path: '^packages/',
        pathNot: ['^packages/test-sandbox/', '^packages/sandbox/src/(index|parts)\\.ts$'],
      },
    },
    {
      name: 'web-imports-contract-and-jsonata',
      comment: 'The browser gets nothing of the server.',
      severity: 'error',
      from: { path: '^packages/web/' },
      to: { path: '^packages/(server|connectors|sandbox)/' },
    },
    ...upward('web', WEB_ORDER, { tests: '\\.test\\.tsx?$' }),
    {
      name: 'web-lower-folders-know-no-feature',
      comment: 'app -> features -> address, api, ui.',
      severity: 'error',
      from: { path: '^packages/web/src/(address|api|ui)/' },
      to: { path: '^packages/web/src/(features|app)/' },
    },
    {
      name: 'web-features-know-no-app',
      comment: 'app -> features -> address, api, ui.',
      severity: 'error',
      from: { path: '^packages/web/src/features/', pathNot: '\\.test\\.tsx?$' },
      to: { path: '^packages/web/src/app/' },
    },
    {
      name: 'server-platform-knows-no-product',
      comment: 'main -> app -> features -> platform.',
      severity: 'error',
      from: { path: '^packages/server/src/platform/', pathNot: '\\.test\\.ts$' },
      to: { path: '^packages/server/src/(app|features)/' },
    },
    {
      name: 'server-features-know-no-app',
      comment: 'No HTTP in features: main -> app -> features -> platform.',
      severity: 'error',
      from: { path: '^packages/server/src/features/', pathNot: '\\.test\\.ts$' },
      to: { path: ['^packages/server/src/app/', 'node_modules/(fastify|@fastify)'] },
    },
    {
      name: 'server-routes-hold-no-sql',
      comment: 'A handler parses, calls one function of a feature or a use case beside it, and returns.',
      severity: 'error',
      from: { path: '^packages/server/src/app/(routes|http)/', pathNot: '\\.test\\.ts$' },
      to: { path: ['node_modules/(drizzle-orm|pg)/', '^packages/server/src/platform/db/database'] },
    },
    {
      name: 'server-features-through-their-index',
      comment: "Import a feature through its index.ts: what is not there is the feature's own.",
      severity: 'error',
      from: { path: '^packages/server/src/(app|features/([^/]+))/' },
      to: {
        path: '^packages/server/src/features/([^/]+)/',
        pathNot: ['^packages/server/src/features/[^/]+/index\\.ts$', '^packages/server/src/features/$2/'],
      },
    },
    {
      name: 'server-platform-config-in-one-place',
      comment: 'The sandbox is reached at the composition root only.',
      severity: 'error',
      from: { path: '^packages/server/src/(features|platform)/', pathNot: '\\.test\\.ts$' },
      to: { path: '^packages/sandbox/' },
    },
    {
      name: 'imapflow-in-one-place',
      comment: 'imapflow is bounded by bounded-imap.ts: import this instead.',
      severity: 'error',
      from: {
        path: '^packages/',
        pathNot: ['^packages/connectors/src/imap/bounded-imap\\.ts$', '\\.test\\.ts$', '/test-support/'],
      },
      to: { path: 'node_modules/imapflow/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'product-imports-no-test-support',
      comment: 'Stand-ins, generators and fixtures serve tests alone: what the product needs belongs in src.',
      severity: 'error',
      from: { path: '^packages/[^/]+/src/', pathNot: '\\.test\\.tsx?$' },
      to: { path: '/test-support/' },
    },
    ...upward('server', ORDER, {
      tests: '\\.test\\.ts$',
      hint: ' What must flow upward is a callback wired in server.ts.',
    }),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|migrations)[.0-9]*/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.json'],
    },
  },
};
