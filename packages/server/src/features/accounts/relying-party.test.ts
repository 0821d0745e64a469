import { describe, expect, it } from 'vitest';
import { relyingPartyOf } from './relying-party.ts';

describe('the relying party', () => {
  it.each([
    ['https://data.example.org', 'data.example.org'],
    ['https://data.example.org:8443', 'data.example.org'],
    ['http://localhost:3000', 'localhost'],
  ])('of %s is its host', (url, id) => {
    expect(relyingPartyOf(url)).toEqual({ id, origin: url });
  });

  it.each([
    [
      'http://127.0.0.1:3000',
      /address http:\/\/127\.0\.0\.1:3000\. Start it with PUBLIC_URL=http:\/\/localhost:3000/,
    ],
    ['http://[::1]:3000', /PUBLIC_URL=http:\/\/localhost:3000/],
    ['https://192.168.1.4', /need a host name.*set PUBLIC_URL to an https address/],
    ['https://[2001:db8::1]', /need a host name/],
    ['http://nas.lan', /need https/],
    ['http://localhost.example.org', /need https/],
  ])('of %s cannot have passkeys', (url, reason) => {
    expect(relyingPartyOf(url).problem).toMatch(reason);
  });
});
