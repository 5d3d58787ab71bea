import { Overload } from '../../billing/failures.ts';
import { type Child, type Limits, type Program, startChild } from './child.ts';
import { residentMiB } from './usage.ts';

export interface ChildrenOptions {
  program: Program;
  /** Maximum number of children. Each one starts when it is first needed. */
  most: number;
  /** Maximum number of tasks of one account that may wait at a time. */
  mostWaiting: number;
  /** How long an idle child is kept, milliseconds. */
  idle: number;
  limits: Limits;
}

/** Child processes of a program. Each child does one task at a time. */
export interface Children<Task, Result> {
  /**
   * Waits for a free child for at most `within` milliseconds. The last free child is reserved for accounts that have none. Among waiting
   * accounts, the one with the fewest children is next. Rejects with Overload when no child is free in time, or when too many tasks of the account
   * wait already.
   */
  take(accountId: number, within: number): Promise<Taken<Task, Result>>;
  close(): void;
}

export interface Taken<Task, Result> {
  child: Child<Task, Result>;
  /** Whether the child has done a task before. */
  isUsed: boolean;
  /** Ends the child and starts another one in its place. */
  replace(): Taken<Task, Result>;
  /** Gives the child back. A failed child is ended. */
  give(state: 'works' | 'failed'): void;
}

/** Maximum resident memory of a child after a task, MiB. A child with more is ended. */
const MOST_KEPT = 320;

interface Waiting<Task, Result> {
  accountId: number;
  go(taken: Taken<Task, Result>): void;
}

export function createChildren<Task, Result>(options: ChildrenOptions): Children<Task, Result> {
  const { program, most, mostWaiting } = options;
  const stock = createStock<Task, Result>(options);
  const waiting: Waiting<Task, Result>[] = [];
  const busy: number[] = []; // the account of each busy child
  const taken = (accountId: number, { child, isUsed }: Stocked<Task, Result>): Taken<Task, Result> => ({
    child,
    isUsed,
    replace: () => {
      stock.end(child);
      return taken(accountId, { child: stock.start(), isUsed: false });
    },
    give: (state) => {
      busy.splice(busy.indexOf(accountId), 1);
      if (state === 'works') stock.keep(child);
      else stock.end(child);
      next();
    },
  });
  const hand = (accountId: number) => {
    busy.push(accountId);
    return taken(accountId, stock.take());
  };
  const atWork = (accountId: number) => busy.filter((one) => one === accountId).length;
  const mayTake = (accountId: number) => {
    const left = most - busy.length;
    return left > 1 || (left === 1 && (most === 1 || atWork(accountId) === 0));
  };
  const next = () => {
    const able = waiting.filter(({ accountId }) => mayTake(accountId));
    const [first] = able.toSorted((a, b) => atWork(a.accountId) - atWork(b.accountId));
    if (!first) return;
    waiting.splice(waiting.indexOf(first), 1);
    first.go(hand(first.accountId));
  };
  return {
    take: (accountId, within) => {
      if (mayTake(accountId)) return Promise.resolve(hand(accountId));
      if (waiting.filter((one) => one.accountId === accountId).length >= mostWaiting) {
        return Promise.reject(new Overload(`Too many ${program.words.plural} are being made; try again`));
      }
      return waitIn(waiting, { accountId, within, product: program.words.product });
    },
    close: stock.close,
  };
}

interface Stocked<Task, Result> {
  child: Child<Task, Result>;
  isUsed: boolean;
}

/** Starts and ends the children. Keeps free ones until they have been idle for a while. */
function createStock<Task, Result>({ program, idle, limits }: Pick<ChildrenOptions, 'program' | 'idle' | 'limits'>) {
  type Kept = Child<Task, Result>;
  const all = new Set<Kept>();
  const free = new Map<Kept, NodeJS.Timeout>();
  const forget = (child: Kept) => {
    all.delete(child);
    clearTimeout(free.get(child));
    free.delete(child);
  };
  const start = (): Kept => {
    const child = startChild<Task, Result>(program, limits);
    all.add(child);
    void child.ended.then(() => forget(child));
    return child;
  };
  const end = (child: Kept) => {
    forget(child);
    child.end();
  };
  return {
    start,
    end,
    take: (): Stocked<Task, Result> => {
      const child = [...free.keys()].at(-1);
      clearTimeout(child && free.get(child));
      if (child) free.delete(child);
      return { child: child ?? start(), isUsed: child !== undefined };
    },
    keep: (child: Kept) => {
      if (residentMiB(child.pid ?? 0) > MOST_KEPT) end(child);
      else if (all.has(child)) free.set(child, setTimeout(end, idle, child).unref());
    },
    close: () => {
      for (const child of all) end(child);
    },
  };
}

/** Waits in the queue for a child. Leaves the queue and rejects at the timeout. */
function waitIn<Task, Result>(
  waiting: Waiting<Task, Result>[],
  { accountId, within, product }: { accountId: number; within: number; product: string },
): Promise<Taken<Task, Result>> {
  return new Promise((resolve, reject) => {
    const one: Waiting<Task, Result> = {
      accountId,
      go: (taken) => {
        clearTimeout(timer);
        resolve(taken);
      },
    };
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(one), 1);
      reject(new Overload(`No ${product} could be started within ${Math.round(within)} ms; try again`));
    }, within);
    waiting.push(one);
  });
}
