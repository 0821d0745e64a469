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
            page('Queries by example', '/use/queries'),
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
            page('Real Gmail and GitHub', '/run/gmail-and-github'),
            page('Settings', '/run/settings'),
            page('Reverse proxies', '/run/reverse-proxy'),
            page('Backup and restore', '/run/backup'),
            page('Upgrade', '/run/upgrade'),
            page('Operations and scale', '/run/operations'),
            page('Observability', '/run/observability'),
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
            page('Add a connector', '/build/add-a-connector'),
            page('API reference', '/build/api'),
            page('Decisions', '/build/decisions'),
          ],
        },
      ],
    },
  },
});
