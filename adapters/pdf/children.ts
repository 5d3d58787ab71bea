import { Overload } from '../../billing/overload.ts';
import { type Child, type Limits, startChild } from './child.ts';
import { residentMiB } from './usage.ts';

export interface ChildrenOptions {
  /** Maximum number of children. Each one starts when it is first needed. */
  most: number;
  /** Maximum number of documents of one account that may wait at a time. */
  mostWaiting: number;
  /** How long an idle child is kept, milliseconds. */
  idle: number;
  limits: Limits;
}

/** Child processes that render documents. Each child renders one document at a time. */
export interface Children {
  /**
   * Waits for a free child for at most `within` milliseconds. The last free child is reserved for accounts that have none. Among waiting
   * accounts, the one with the fewest children is next. Rejects with Overload when no child is free in time, or when too many documents of the
   * account wait already.
   */
  take(accountId: number, within: number): Promise<Taken>;
  close(): void;
}

export interface Taken {
  child: Child;
  /** Whether the child has rendered a document before. */
  isUsed: boolean;
  /** Ends the child and starts another one in its place. */
  replace(): Taken;
  /** Gives the child back. A failed child is ended. */
  give(state: 'works' | 'failed'): void;
}

/** Maximum resident memory of a child after a document, MiB. A child with more is ended. */
const MOST_KEPT = 320;

interface Waiting {
  accountId: number;
  go(taken: Taken): void;
}

export function createChildren({ most, mostWaiting, idle, limits }: ChildrenOptions): Children {
  const stock = createStock({ idle, limits });
  const waiting: Waiting[] = [];
  const busy: number[] = []; // the account of each busy child
  const taken = (accountId: number, { child, isUsed }: Stocked): Taken => ({
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
  const hand = (accountId: number): Taken => {
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
        return Promise.reject(new Overload('Too many PDFs are being made; try again'));
      }
      return waitIn(waiting, accountId, within);
    },
    close: stock.close,
  };
}

interface Stocked {
  child: Child;
  isUsed: boolean;
}

/** Starts and ends the children. Keeps free ones until they have been idle for a while. */
function createStock({ idle, limits }: Pick<ChildrenOptions, 'idle' | 'limits'>) {
  const all = new Set<Child>();
  const free = new Map<Child, NodeJS.Timeout>();
  const forget = (child: Child) => {
    all.delete(child);
    clearTimeout(free.get(child));
    free.delete(child);
  };
  const start = (): Child => {
    const child = startChild(limits);
    all.add(child);
    void child.ended.then(() => forget(child));
    return child;
  };
  const end = (child: Child) => {
    forget(child);
    child.end();
  };
  return {
    start,
    end,
    take: (): Stocked => {
      const child = [...free.keys()].at(-1);
      clearTimeout(child && free.get(child));
      if (child) free.delete(child);
      return { child: child ?? start(), isUsed: child !== undefined };
    },
    keep: (child: Child) => {
      if (residentMiB(child.pid ?? 0) > MOST_KEPT) end(child);
      else if (all.has(child)) free.set(child, setTimeout(end, idle, child).unref());
    },
    close: () => {
      for (const child of all) end(child);
    },
  };
}

/** Waits in the queue for a child. Leaves the queue and rejects at the timeout. */
function waitIn(waiting: Waiting[], accountId: number, within: number): Promise<Taken> {
  return new Promise((resolve, reject) => {
    const one: Waiting = {
      accountId,
      go: (taken) => {
        clearTimeout(timer);
        resolve(taken);
      },
    };
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(one), 1);
      reject(new Overload(`No PDF could be started within ${Math.round(within)} ms; try again`));
    }, within);
    waiting.push(one);
  });
}
