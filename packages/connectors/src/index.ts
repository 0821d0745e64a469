export * from './mail/index.ts';
export * from './sdk/index.ts';
