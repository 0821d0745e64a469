import { describe, expect, it } from 'vitest';
import { networkOf } from './caller.ts';

describe('networkOf', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:0:12:aaaa:bbbb:cccc:dddd', '2001:db8:0:12::/64'],
    ['2001:0DB8:0000:0012::1', '2001:db8:0:12::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    // The connection is already closed.
    [undefined, 'closed'],
  ])('maps %s to the network %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});
