import { checkConnectValues } from '@datadeck/contract';
import { describe, expect, it } from 'vitest';
import { ImapAuthorization } from './authorization.ts';
import { presetsFor } from './presets.ts';

const labels = (hosts: string[]) => presetsFor(hosts).map(({ label }) => label);
const HOSTED = ['Gmail (app password)', 'Fastmail', 'iCloud Mail', 'GMX'];
const REST = ['Outlook.com and Microsoft 365', 'Other'];

describe('presetsFor', () => {
  it.each([
    [['*'], [...HOSTED, ...REST]],
    [
      ['*', '127.0.0.1'],
      [...HOSTED, 'Proton Mail Bridge', ...REST],
    ],
    [['*.gmx.net'], ['GMX', ...REST]],
    [['mail.example.org'], []],
    [[], []],
  ])('offers for %j the servers that may be named', (hosts, expected) => {
    expect(labels(hosts)).toEqual(expected);
  });

  it('fills in values that the form accepts, and none for Outlook, with the reason', () => {
    const { fields, presets } = new ImapAuthorization({ hosts: ['*', '127.0.0.1'] }).form;
    for (const { values } of presets) {
      const filled = fields.filter(({ name }) => name in values);
      expect(checkConnectValues(filled, values)).toEqual({ values, errors: {} });
    }
    const outlook = presets.find(({ label }) => label.startsWith('Outlook'));
    expect(outlook).toMatchObject({ values: {}, note: expect.stringMatching(/no longer accepts passwords/) });
  });
});
