import { AsyncLocalStorage } from 'node:async_hooks';

/** What became of the transactions that a piece of work began. */
export interface Commits {
  /** Whether one was committed, or was about to commit when its connection was lost. */
  mayHaveHappened: boolean;
}

const works = new AsyncLocalStorage<Commits>();

/** Runs work and notes its commits. */
export function watchingCommits<T>(commits: Commits, work: () => T): T {
  return works.run(commits, work);
}

/** Call when a transaction of the current work was committed, or may have been. */
export function noteCommit(): void {
  const commits = works.getStore();
  if (commits) commits.mayHaveHappened = true;
}
