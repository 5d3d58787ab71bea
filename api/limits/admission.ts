import { AsyncLocalStorage } from 'node:async_hooks';
import { type ConcurrencyLimit, createRecent, NOBODY_RESTS } from '../../db/fairness/concurrencyLimit.ts';
import { createPlaces, type Leave, type Places } from '../../db/fairness/places.ts';
import { TooManyAtOnce } from '../framework/errors.ts';
import { createPace, type Pace } from './pace.ts';

/** Maximum number of requests at work in this process. */
const AT_WORK = 16;
/** Maximum number at work for one account, or for one address without a known key, while others send requests. */
const MOST_AT_WORK = 4;
/** The same limit while nobody else sends requests. Some places stay free for the next account. */
const MOST_ALONE = 12;
/** Maximum number of waiting requests of one account or address. */
const MOST_WAITING = 500;
/** After this wait a request is refused, because its client would give up. */
const LONGEST_WAIT_MILLISECONDS = 10_000;
/** After this wait a request is refused while the server closes. Under normal load, requests wait a few milliseconds. */
const CLOSING_WAIT_MILLISECONDS = 1000;
/** After this time a request gives its place back, because it probably waits for something else, such as a lock. */
const LONGEST_MILLISECONDS = 500;

/** Limits how many requests work at a time, so that no account or address takes more than its share of the event loop. */
export interface Admission {
  /** Runs a request once there is a place for it. Throws TooManyAtOnce when too many wait, or when it has waited too long. */
  admit<T>(who: string, work: () => Promise<T>): Promise<T>;
  /** Number of requests that have a place. */
  readonly atWork: number;
}

interface Admitted {
  /** Gives the place back and waits for a place of this holder, which the request counts for from now on. */
  pass(who: string): Promise<void>;
  /** Gives the place back and takes another one of the same holder. Waits only if the holder has more than its share. */
  again(): Promise<void>;
  /** Runs work without a place, and takes one afterwards without waiting. */
  outside<T>(work: () => Promise<T>): Promise<T>;
  readonly pace: { pass(bytes: number | null): Promise<void>; charge(bytes: number): void };
}

const admitted = new AsyncLocalStorage<Admitted>();

/**
 * `closing` aborts when the server closes. Large bodies that wait are then refused at once, and requests that wait for a place are refused
 * after another second. `concurrencyLimit` slows down accounts on a busy machine; by default nobody rests.
 */
export function createAdmission(
  closing: AbortSignal,
  concurrencyLimit: ConcurrencyLimit<string> = NOBODY_RESTS,
): Admission {
  const recent = { account: createRecent<string>(), address: createRecent<string>() };
  const isAlone = (who: string) => recent[kindOf(who)].isAlone(who);
  const pace = closingPace(closing, createPace(isAlone));
  const places = createPlaces<string>({
    size: AT_WORK,
    most: (who) => (isAlone(who) ? MOST_ALONE : MOST_AT_WORK),
    mostWaiting: MOST_WAITING,
    longest: LONGEST_WAIT_MILLISECONDS,
    closing: { signal: closing, longest: CLOSING_WAIT_MILLISECONDS },
    rest: concurrencyLimit.rest,
    refusal: () => new TooManyAtOnce(),
    handOver: (next) => void setImmediate(next), // requests that have arrived meanwhile go first
  });
  return {
    get atWork() {
      return places.taken;
    },
    async admit(who, work) {
      const note = (next: string) => {
        recent[kindOf(next)].note(next);
        // An account's requests begin at its address, which must not look like somebody else.
        if (kindOf(next) === 'account') concurrencyLimit.ask(next);
      };
      const place = createPlace(places, {
        pace,
        first: who,
        note,
        used: (next, time) => concurrencyLimit.used(holderOf(next), time),
      });
      await place.pass(who);
      try {
        return await admitted.run(place, work);
      } finally {
        place.end();
        if (kindOf(place.holder) === 'address') concurrencyLimit.ask(STRANGERS); // it ended without an account
      }
    },
  };
}

/** Counts the current request for this account from now on. Waits for one of its places. */
export function admitAs(who: string): Promise<void> {
  return admitted.getStore()?.pass(who) ?? Promise.resolve();
}

/** Call before a body is read; null: unknown length. While others send requests, large bodies of an account are spread over time. */
export function waitForBody(bytes: number | null): Promise<void> {
  return admitted.getStore()?.pace.pass(bytes) ?? Promise.resolve();
}

/** Call after a body of unknown length was read. */
export function chargeBody(bytes: number): void {
  admitted.getStore()?.pace.charge(bytes);
}

/** Call before costly work that follows `withoutPlace`. A request of an account that has more than its share waits for a place. */
export function waitForPlace(): Promise<void> {
  return admitted.getStore()?.again() ?? Promise.resolve();
}

/** Runs work that waits for something outside this process, such as a gateway or a slow client. The request holds no place meanwhile. */
export function withoutPlace<T>(work: () => Promise<T>): Promise<T> {
  return admitted.getStore()?.outside(work) ?? work();
}

/** Refuses waiting bodies at once when the server closes, so that they don't prolong its shutdown. */
function closingPace(closing: AbortSignal, pace: Pace<string>): Pace<string> {
  return {
    charge: pace.charge,
    pass: (who, bytes) => refusedAtClose(closing, pace.pass(who, bytes)),
  };
}

/** The result of a wait. Throws TooManyAtOnce when the server begins to close first. */
async function refusedAtClose<T>(closing: AbortSignal, wait: Promise<T>): Promise<T> {
  const { promise: refused, reject } = Promise.withResolvers<never>();
  const refuse = () => void setImmediate(reject, new TooManyAtOnce()); // a body that need not wait goes on
  if (closing.aborted) refuse();
  else closing.addEventListener('abort', refuse);
  try {
    return await Promise.race([wait, refused]);
  } finally {
    closing.removeEventListener('abort', refuse);
  }
}

function kindOf(who: string): 'account' | 'address' {
  return who.startsWith('account ') ? 'account' : 'address';
}

/** All requests without an account, as one holder: were each address one, an account would look greedy beside thousands of them. */
const STRANGERS = 'strangers';

function holderOf(who: string): string {
  return kindOf(who) === 'account' ? who : STRANGERS;
}

interface PlaceOptions {
  pace: Pace<string>;
  first: string;
  note(who: string): void;
  used(who: string, milliseconds: number): void;
}

interface Place extends Admitted {
  /** Address or account that the request counts for. */
  readonly holder: string;
  end(): void;
}

function createPlace(places: Places<string>, { pace, first, note, used }: PlaceOptions): Place {
  let who = first;
  let leave: Leave = () => undefined;
  /** Time at which it got its place; null while it has none. */
  let beganAt: number | null = null;
  let timer: NodeJS.Timeout | undefined;
  let outsideCalls = 0;
  let isOver = false;
  const hold = (given: Leave) => {
    leave = given;
    beganAt = performance.now();
    timer = setTimeout(given, LONGEST_MILLISECONDS).unref();
  };
  const release = () => {
    clearTimeout(timer);
    if (beganAt !== null) used(who, performance.now() - beganAt);
    beganAt = null;
    leave();
  };
  const pass = async (next: string) => {
    who = next;
    release(); // the time of the authentication counts for the account
    note(who);
    hold(await places.take(who));
  };
  return {
    pass,
    again: () => pass(who),
    get holder() {
      return who;
    },
    async outside(work) {
      outsideCalls += 1;
      if (outsideCalls === 1) release();
      try {
        return await work();
      } finally {
        outsideCalls -= 1;
        if (outsideCalls === 0 && !isOver) hold(places.retake(who));
      }
    },
    pace: {
      pass: (bytes) => pace.pass(who, bytes),
      charge: (bytes) => pace.charge(who, bytes),
    },
    end() {
      isOver = true;
      release();
    },
  };
}
