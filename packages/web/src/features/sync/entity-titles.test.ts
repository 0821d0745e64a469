import type { UserEntity } from '@datadeck/contract';
import { describe, expect, it } from 'vitest';
import { entityTitles } from './entity-titles.ts';

const entity = (id: string, title: string, providerId: string) => ({ id, title, providerId }) as UserEntity;
const ENTITIES = [
  entity('gmail-messages', 'Messages', 'google'),
  entity('imap-messages', 'Messages', 'imap'),
  entity('gh-pulls', 'Pull Requests', 'github'),
];
const provider = (id: string, title: string, isConnected: boolean) => ({ id, title, isConnected });

describe('entityTitles', () => {
  it('adds the provider when two connected providers share an entity title', () => {
    const titles = entityTitles(ENTITIES, [
      provider('google', 'Gmail', true),
      provider('imap', 'IMAP', true),
    ]);
    expect([...titles.values()]).toEqual(['Messages · Gmail', 'Messages · IMAP', 'Pull Requests']);
  });

  it('adds only an unconnected provider when a connected one has the same title', () => {
    const titles = entityTitles(ENTITIES, [
      provider('google', 'Gmail', true),
      provider('imap', 'IMAP', false),
    ]);
    expect([...titles.values()]).toEqual(['Messages', 'Messages · IMAP', 'Pull Requests']);
  });
});
