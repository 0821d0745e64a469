import git from '@changesets/changelog-git';

/** Writes the lines of a change log. Leaves out new versions of the product's own packages. */
export default { ...git, getDependencyReleaseLine: () => '' };
