export * from './sdk/index.ts';
