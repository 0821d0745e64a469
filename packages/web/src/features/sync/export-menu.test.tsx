import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ENTITY } from '../../../test-support/objects.ts';
import { renderAs, serve } from '../../../test-support/render.tsx';
import { ExportMenu } from './export-menu.tsx';

const open = () => fireEvent.keyDown(screen.getByRole('button', { name: 'Export' }), { key: 'Enter' });

beforeEach(() => {
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => {} }));
});

describe('ExportMenu', () => {
  it('saves all records in the chosen format', async () => {
    const calls = serve(() => ({ body: [] }));
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
    renderAs({ mayChange: true }, <ExportMenu entity={ENTITY} />);
    const path = '/api/data/records/google/gmail-messages/export';
    open();
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Mailbox (mbox)' }));
    await waitFor(() => expect(click).toHaveBeenCalledOnce());
    expect((click.mock.contexts[0] as HTMLAnchorElement).download).toBe('gmail-messages.mbox');
    expect(calls[0]?.url).toBe(`${path}?format=mbox`);
    open();
    fireEvent.click(await screen.findByRole('menuitem', { name: 'CSV for programs' }));
    await waitFor(() => expect(calls[1]?.url).toBe(`${path}?format=csv&exact=true`));
    click.mockRestore();
  });

  it('offers a mailbox for mails only, and reports a failure', async () => {
    serve(() => ({ status: 503, body: {} }));
    renderAs({ mayChange: true }, <ExportMenu entity={{ ...ENTITY, isMail: false }} />);
    open();
    const items = await screen.findAllByRole('menuitem');
    expect(items.map(({ textContent }) => textContent)).toEqual([
      'NDJSON',
      'JSON',
      'CSV',
      'CSV for programs',
      'Excel (XLSX)',
      'Parquet',
    ]);
    fireEvent.click(items[5] as HTMLElement);
    expect(await screen.findByText('The records could not be exported. Try again.')).toBeTruthy();
  });
});
