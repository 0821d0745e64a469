import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { WorkBadges } from './work-badges.tsx';

afterEach(cleanup);

const reference = 'octo/hello #1';

describe('badges of work', () => {
  it.each([
    ['Workflow run', 'failure', 'Failure', 'bg-error-soft'],
    ['Review', 'changes requested', 'Changes requested', 'bg-error-soft'],
    ['Review', 'approved', 'Approved', 'bg-success-soft'],
    ['Issue', 'not planned', 'Not planned', 'bg-sunken'],
    ['Workflow run', 'a state of next year', 'A state of next year', 'bg-sunken'],
  ])('say what a %s is, and its state %s', (kind, state, title, tone) => {
    render(<WorkBadges work={{ kind, reference, state }} />);
    expect(screen.getByText(kind)).toBeTruthy();
    expect(screen.getByText(title).className).toContain(tone);
  });

  it('have no state for a record without one', () => {
    const { container } = render(<WorkBadges work={{ kind: 'Comment', reference, state: '' }} />);
    expect(container.textContent).toBe('Comment');
  });
});
