import type { UserEntity } from '@datadeck/contract';
import { render, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { ConversionNotice } from './conversion-notice.tsx';

const entity = (title: string, unconverted: number) => ({ title, unconverted }) as UserEntity;

describe('ConversionNotice', () => {
  it('names the entities with unconverted records', () => {
    render(<ConversionNotice entities={[entity('Labels', 0), entity('Pull Requests', 1200)]} />);
    expect(screen.getByRole('note').textContent).toContain('Still to convert: 1,200 of Pull Requests.');
  });

  it('renders nothing when all records are converted', () => {
    const { container } = render(<ConversionNotice entities={[entity('Labels', 0)]} />);
    expect(container.textContent).toBe('');
  });
});
