import { describe, expect, it } from 'vitest';
import { isLoopback, isPublic } from './public-address.ts';

describe('isPublic', () => {
  it.each([
    '0.0.0.0',
    '10.255.255.255',
    '100.64.0.1',
    '127.0.0.1',
    '169.254.169.254',
    '172.31.0.1',
    '192.0.0.1',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.0.9',
    '198.19.255.255',
    '198.51.100.7',
    '203.0.113.7',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::7f00:1',
    '::ffff:10.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:1.1.1.1',
    '::ffff:0:127.0.0.1',
    '::ffff:0:a00:1',
    '64:ff9b::a00:1',
    '64:ff9b:1::a00:1',
    '64:ff9b:1:ffff::1',
    '100::1',
    '2001::1',
    '2001:10::1',
    '2001:1ff:ffff::1',
    '2001:db8::1',
    '2002:a00:1::',
    '3fff::1',
    '3fff:fff::1',
    '4000::1',
    '5f00::1',
    'fc00::1',
    'fd00::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'feff::1',
    'ff02::1',
    'mail.example.org',
    '',
  ])('is false for %s', (address) => expect(isPublic(address)).toBe(false));

  it.each([
    '1.1.1.1',
    '172.15.255.255',
    '172.32.0.1',
    '192.0.1.1',
    '192.88.98.255',
    '223.255.255.255',
    '2001:200::1',
    '2001:4860:4860::8888',
    '2003::1',
    '2606:4700::1111',
    '3ffe:ffff::1',
  ])('is true for %s', (address) => expect(isPublic(address)).toBe(true));
});

describe('isLoopback', () => {
  it.each(['127.0.0.1', '127.255.0.1', '::1'])('is true for %s', (address) =>
    expect(isLoopback(address)).toBe(true),
  );
  it.each(['10.0.0.1', '::2', '1.1.1.1'])('is false for %s', (address) =>
    expect(isLoopback(address)).toBe(false),
  );
});
