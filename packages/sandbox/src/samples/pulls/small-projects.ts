import type { PullProject } from './pull-project.ts';

const NO_WORDS = { teams: [], milestones: [], labels: [] } as const;

/** ada-nowak/dotfiles: a small personal repository. */
export const dotfiles: PullProject = {
  ...NO_WORDS,
  repository: {
    id: 388_710_052,
    owner: 'ada-nowak',
    ownerType: 'User',
    name: 'dotfiles',
    description: null,
    language: 'Shell',
    isPrivate: false,
    isFork: false,
    stars: 9,
    topics: [],
  },
  pulls: 14,
  days: 380,
  members: ['ada-nowak'],
  contributors: ['jonas-weber', 'samuel-okafor'],
  titles: [
    'zsh: faster prompt',
    'git: sign commits with ssh',
    'Remove the old vim plugins',
    'tmux: 24-bit colour',
    'Alias for the last branch',
    'Fix PATH on macOS',
    'nvim: format on save',
    'Typo',
    'Add a Brewfile',
    'ssh: use the hardware key',
  ],
  patterns: ['Tidy {part}', 'Update {part}'],
  parts: ['the shell profile', 'the editor config', 'the git aliases', 'the bootstrap script'],
  reasons: ['Works on my machines.', 'Saves two seconds per shell.'],
  changes: ['tested on macOS and Debian', 'drop the fallback for old zsh'],
};

/** aurora-labs/vault: a private repository that one account can see, with the scope `repo`. */
export const vault: PullProject = {
  ...NO_WORDS,
  repository: {
    id: 733_900_418,
    owner: 'aurora-labs',
    ownerType: 'Organization',
    name: 'vault',
    description: 'Infrastructure as code',
    language: 'HCL',
    isPrivate: true,
    isFork: false,
    stars: 0,
    topics: [],
  },
  visibleTo: ['ada-nowak'],
  pulls: 22,
  days: 200,
  members: ['ada-nowak', 'henrik-dahl'],
  contributors: ['henrik-dahl'],
  labels: [{ name: 'apply with care', color: 'b60205', description: 'Touches production' }],
  titles: [
    'Rotate the database credentials',
    'Second zone for the staging cluster',
    'Tighten the egress rules',
    'Alert on certificate expiry',
  ],
  patterns: ['Move {part} to the new module', 'Resize {part}', 'Tag {part}'],
  parts: ['the bastion', 'the log bucket', 'the build runners', 'the DNS zones'],
  reasons: ['Plan output is attached to the ticket.', 'Needed before the audit in spring.'],
  changes: ['no resources are replaced', 'plan reviewed by two people'],
};
