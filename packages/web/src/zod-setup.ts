import { config } from 'zod';

// Must run before any schema is made: zod would otherwise try `new Function`, which the page's policy reports.
config({ jitless: true });
