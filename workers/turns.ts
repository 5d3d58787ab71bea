import type { ProcessName } from '../billing/processes.ts';
import type { ActivityResult, ProcessInput } from '../workflows/process.ts';

/**
 * In this worker process, an account runs at most this many of these activities at a time, because each holds a place of its pool for up to a
 * minute. Further processes of the account wait without holding a place.
 */
const MOST = { webhook: 20, clock: 6 } satisfies Partial<Record<ProcessName, number>>;
export type LongProcess = keyof typeof MOST;
/** A waiting process that is not called polls by itself after this time: its worker may have died. People wait for clocks. */
const LONGEST_WAIT_MILLISECONDS: Record<LongProcess, number> = { webhook: 300_000, clock: 10_000 };
/** Time for which a place is reserved for a called process. */
const KEPT_MILLISECONDS = 5000;

/** Identifies a process, by fields of the wake that starts it. */
export interface Named extends ProcessInput {
  process: string;
}
export type Long = Named & { process: LongProcess };

/** Shares the places of this worker's pools among accounts, so that no account takes all of them. */
export interface Turns {
  /**
   * Does the work if the account has a place left. Otherwise returns a result by which the process waits to be called. `isWanted`: whether
   * another process of the account waits for a place.
   */
  take(named: Long, work: (isWanted: () => boolean) => Promise<ActivityResult>): Promise<ActivityResult>;
  /** Whether the process waits in this worker for a free place. It then needs no other wake. */
  isWaiting(named: Named): boolean;
  /** The accounts for which as many processes wait here as they have places. Further ones wait in the outbox, which costs Temporal nothing. */
  crowded(): CrowdedAccount[];
  /** Enqueues the waiting processes for other workers, because this one ends. */
  close(): Promise<void>;
}

export interface CrowdedAccount {
  accountId: number;
  process: ProcessName;
}

interface Account {
  accountId: number;
  process: LongProcess;
  atWork: number;
  waiting: Map<string, Long>;
  /** Called processes, each with its reserved place. */
  called: Map<string, NodeJS.Timeout>;
}

export interface TurnsDeps {
  /** Enqueues a waiting process for which a place is reserved. */
  call: (named: Long) => Promise<void>;
  /** Enqueues a process that waits for its place in the outbox, behind earlier ones of its account. */
  queue: (named: Long) => Promise<void>;
  systemNow: () => Date;
}

export function createTurns({ call, queue, systemNow }: TurnsDeps): Turns {
  const accounts = new Map<string, Account>();
  const keyOf = ({ process, accountId }: Named) => `${process}/${accountId}`;
  const nameOf = ({ id, shard }: ProcessInput) => `${id}/${shard ?? 0}`;
  const accountOf = (named: Long): Account => {
    const key = keyOf(named);
    const { accountId, process } = named;
    const known = accounts.get(key) ?? { accountId, process, atWork: 0, waiting: new Map(), called: new Map() };
    accounts.set(key, known);
    return known;
  };
  const isCrowded = ({ process, waiting }: Account) => waiting.size >= MOST[process];
  /** Waits here, or in the outbox if enough processes of the account wait here. */
  const wait = async (named: Long, account: Account): Promise<void> => {
    if (account.waiting.has(nameOf(named)) || !isCrowded(account)) account.waiting.set(nameOf(named), named);
    else await queue(named);
  };
  const isFull = ({ process, atWork, called }: Account) => atWork + called.size >= MOST[process];
  const callNext = (named: Long, account: Account): void => {
    const [next] = account.waiting.values();
    if (next && !isFull(account)) {
      account.waiting.delete(nameOf(next));
      const giveUp = () => {
        account.called.delete(nameOf(next));
        callNext(next, account);
      };
      account.called.set(nameOf(next), setTimeout(giveUp, KEPT_MILLISECONDS).unref());
      void call(next).catch(() => account.waiting.set(nameOf(next), next)); // it is called with the next place
    } else if (account.atWork + account.called.size === 0) accounts.delete(keyOf(named));
  };
  const enter = (named: Long, account: Account): boolean => {
    const isCalled = account.called.has(nameOf(named));
    if (!isCalled && isFull(account)) return false;
    clearTimeout(account.called.get(nameOf(named)));
    account.called.delete(nameOf(named));
    account.waiting.delete(nameOf(named));
    account.atWork += 1;
    return true;
  };
  return {
    crowded: () => [...accounts.values()].filter(isCrowded).map(({ accountId, process }) => ({ accountId, process })),
    async close() {
      const waiting = [...accounts.values()].flatMap((account) => [...account.waiting.values()]);
      for (const named of waiting) await queue(named);
    },
    isWaiting: (named) => accounts.get(keyOf(named))?.waiting.has(nameOf(named)) ?? false,
    async take(named, work) {
      const account = accountOf(named);
      if (!enter(named, account)) {
        await wait(named, account);
        const wakeAt = systemNow().getTime() + LONGEST_WAIT_MILLISECONDS[named.process];
        return { did: [], wakeAt, next: 'its turn', more: false, call: null };
      }
      try {
        return await work(() => account.waiting.size > 0);
      } finally {
        account.atWork -= 1;
        callNext(named, account);
      }
    },
  };
}
