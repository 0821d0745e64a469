export * from './authorization.ts';
export * from './connector.ts';
export * from './json.ts';
export * from './oauth.ts';
export * from './ordered-parallel.ts';
export * from './provider-client.ts';
export * from './provider-error.ts';
export * from './scheduler.ts';
