import { withMermaid } from 'vitepress-plugin-mermaid';

const page = (text: string, link: string) => ({ text, link });

/** The documentation site: `npm run docs` builds it into docs/.vitepress/dist and fails on dead links. */
export default withMermaid({
  title: 'Datadeck',
  description: 'Self-hosted dashboard for data integration and synchronisation',
  lastUpdated: false,
  // Generated lists of tests and pictures, read in the repository.
  srcExclude: ['coverage.md', 'faults.md', 'screens/README.md'],
  markdown: { languageAlias: { jsonata: 'js' } },
  themeConfig: {
    search: { provider: 'local' },
    nav: [
      page('Use it', '/use/tour'),
      page('Run it', '/run/install'),
      page('Build on it', '/build/architecture'),
    ],
    sidebar: {
      '/use/': [
        {
          text: 'Use it',
          items: [
            page('A tour', '/use/tour'),
            page('Connect your accounts', '/use/connect'),
            page('Search', '/use/search'),
            page('Queries by example', '/use/queries'),
            page('Work on GitHub', '/use/github'),
            page('History of a view', '/use/history'),
            page('Alerts', '/use/alerts'),
            page('Passkeys', '/use/passkeys'),
            page('Share a view or a board', '/use/sharing'),
            page('Add any API in the browser', '/use/connectors'),
            page('API tokens', '/use/tokens'),
            page('Exports and feeds', '/use/exports'),
            page('Command line', '/use/command-line'),
            page('Assistants', '/use/assistants'),
            page('JSONata for people who know SQL', '/use/jsonata-for-sql'),
          ],
        },
      ],
      '/run/': [
        {
          text: 'Run it',
          items: [
            page('Install', '/run/install'),
            page('Sign in', '/run/sign-in'),
            page('Administrators', '/run/administrators'),
            page('Real Gmail and GitHub', '/run/gmail-and-github'),
            page('Outlook', '/run/outlook'),
            page('Settings', '/run/settings'),
            page('Reverse proxies', '/run/reverse-proxy'),
            page('Backup and restore', '/run/backup'),
            page('Upgrade', '/run/upgrade'),
            page('Operations and scale', '/run/operations'),
            page('What a user costs', '/run/capacity'),
            {
              ...page('Observability', '/run/observability'),
              collapsed: true,
              items: [
                page('Down', '/run/alerts/down'),
                page('Database unreachable', '/run/alerts/database-unreachable'),
                page('Error rate', '/run/alerts/error-rate'),
                page('Slow pages', '/run/alerts/slow-pages'),
                page('Syncs failing', '/run/alerts/syncs-failing'),
                page('Provider failing', '/run/alerts/provider-failing'),
                page('Queue stuck', '/run/alerts/queue-stuck'),
                page('Connections exhausted', '/run/alerts/connections-exhausted'),
                page('Event loop blocked', '/run/alerts/event-loop-blocked'),
                page('Disk filling', '/run/alerts/disk-filling'),
                page('Backup too old', '/run/alerts/backup-too-old'),
              ],
            },
            page('More than one database server', '/run/scale'),
            page('Your data in SQL', '/run/sql'),
          ],
        },
      ],
      '/build/': [
        {
          text: 'Build on it',
          items: [
            page('Architecture', '/build/architecture'),
            page('First contribution', '/build/first-contribution'),
            page('Add any API in ten minutes', '/build/connector-documents'),
            page('Import a manifest of Airbyte', '/build/airbyte-manifests'),
            page('Add a connector', '/build/add-a-connector'),
            page('API reference', '/build/api'),
            page('Decisions', '/build/decisions'),
          ],
        },
      ],
    },
  },
});
