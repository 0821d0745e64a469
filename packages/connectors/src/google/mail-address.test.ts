import { describe, expect, it } from 'vitest';
import { googleConnector } from './index.ts';

describe('the address of a message', () => {
  it.each([
    ['https://gmail.googleapis.com', 'https://mail.google.com/mail/#all/18c2'],
    ['http://127.0.0.1:3000/sandbox/gmail', null],
    ['https://emulator.example', null],
    ['https://gmail.googleapis.com.example', null],
  ])('depends on the API: %s', (apiUrl, expected) => {
    const { entities } = googleConnector({
      issuer: 'https://accounts.google.com',
      apiUrl,
      client: { id: 'id', secret: 'secret' },
      unitsPerMinute: 1,
    });
    const messages = entities.find(({ id }) => id === 'gmail-messages');
    expect(messages?.reading?.read({ id: '18c2' }).url).toBe(expected);
  });
});
