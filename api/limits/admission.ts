import { AsyncLocalStorage } from 'node:async_hooks';
import { createPlaces, type Leave, type Places } from '../../db/places.ts';
import { createRecent } from '../../db/recent.ts';
import { TooManyAtOnce } from '../framework/errors.ts';
import { createPace, type Pace } from './pace.ts';

/** Requests that are at work at a time in this process. */
const AT_WORK = 16;
/** Of one account, or of one address that has not shown a key yet, while others send requests. */
const MOST_AT_WORK = 4;
/** Of the same while nobody else does: some places are left for whoever comes next. */
const MOST_ALONE = 12;
/** Of the same, those that wait for their turn. */
const MOST_WAITING = 500;
/** Whoever has a place for longer waits for something else, such as a lock, and does not keep it. */
const LONGEST_MILLISECONDS = 500;

/** Lets requests in, so that no account and no address has more of the event loop than its share. */
export interface Admission {
  /** Does a request once there is a place for it. Throws TooManyAtOnce. */
  admit<T>(who: string, work: () => Promise<T>): Promise<T>;
}

interface Admitted {
  /** The request turns out to be somebody's: its place goes back, and it waits for one of theirs. */
  pass(who: string): Promise<void>;
  /** Gives the place back and waits for another, after those of others. */
  again(): Promise<void>;
  outside<T>(work: () => Promise<T>): Promise<T>;
  /** Waits until a body of so many bytes may be read. */
  passBody(bytes: number): Promise<void>;
}

const admitted = new AsyncLocalStorage<Admitted>();

export function createAdmission(): Admission {
  const recent = { account: createRecent<string>(), address: createRecent<string>() };
  const isAlone = (who: string) => recent[kindOf(who)].isAlone(who);
  const pace = createPace(isAlone);
  const places = createPlaces<string>({
    size: AT_WORK,
    most: (who) => (isAlone(who) ? MOST_ALONE : MOST_AT_WORK),
    mostWaiting: MOST_WAITING,
    refusal: () => new TooManyAtOnce(),
    handOver: (next) => void setImmediate(next), // what has come meanwhile goes first
  });
  return {
    async admit(who, work) {
      const place = createPlace(places, { pace, first: who, note: (next) => recent[kindOf(next)].note(next) });
      await place.pass(who);
      try {
        return await admitted.run(place, work);
      } finally {
        place.end();
      }
    },
  };
}

/** The request is now known to be this one's. */
export function passAs(who: string): Promise<void> {
  return admitted.getStore()?.pass(who) ?? Promise.resolve();
}

/** Before a body is read: the large ones of an account are spread over time while others send requests. */
export function passBody(bytes: number): Promise<void> {
  return admitted.getStore()?.passBody(bytes) ?? Promise.resolve();
}

/** Before costly work that follows what was done outside: others have their turns first. */
export function waitAgain(): Promise<void> {
  return admitted.getStore()?.again() ?? Promise.resolve();
}

/** Does what waits for somebody else, such as a gateway or a slow client: meanwhile the request has no place. */
export function whileOutside<T>(work: () => Promise<T>): Promise<T> {
  return admitted.getStore()?.outside(work) ?? work();
}

function kindOf(who: string): 'account' | 'address' {
  return who.startsWith('account ') ? 'account' : 'address';
}

interface Coming {
  pace: Pace<string>;
  first: string;
  note(who: string): void;
}

function createPlace(places: Places<string>, { pace, first, note }: Coming): Admitted & { end(): void } {
  let who = first;
  let leave: Leave = () => undefined;
  let timer: NodeJS.Timeout | undefined;
  let errands = 0;
  let isOver = false;
  const hold = (given: Leave) => {
    leave = given;
    timer = setTimeout(given, LONGEST_MILLISECONDS).unref();
  };
  const release = () => {
    clearTimeout(timer);
    leave();
  };
  const pass = async (next: string) => {
    release();
    who = next;
    note(who);
    hold(await places.take(who));
  };
  return {
    pass,
    again: () => pass(who),
    async outside(work) {
      errands += 1;
      if (errands === 1) release();
      try {
        return await work();
      } finally {
        errands -= 1;
        if (errands === 0 && !isOver) hold(places.retake(who));
      }
    },
    passBody: (bytes) => pace.pass(who, bytes),
    end() {
      isOver = true;
      release();
    },
  };
}
