import { Worker } from 'node:worker_threads';
import { Overload } from '../../billing/overload.ts';

export interface ThreadsOptions {
  /** How many there are at most; each starts when it is first needed. */
  most: number;
  /** How many may be waited for at a time. */
  mostWaiting: number;
}

/** Threads that set documents, one at a time each. */
export interface Threads {
  /** One that is free, within so many milliseconds. Throws Overload when there is none, or too many wait already. */
  take(within: number): Promise<Worker>;
  give(thread: Worker): void;
  /** Ends one that failed: it is not asked again. */
  end(thread: Worker): void;
  close(): Promise<void>;
}

type Waiting = (thread: Worker) => void;

export function createThreads({ most, mostWaiting }: ThreadsOptions): Threads {
  const idle: Worker[] = [];
  const all = new Set<Worker>();
  const waiting = new Set<Waiting>();
  const start = (): Worker => {
    const thread = new Worker(new URL('./thread.ts', import.meta.url));
    thread.unref();
    thread.on('error', () => undefined); // told by its exit; whoever waits for it hears of it
    thread.once('exit', () => {
      all.delete(thread);
      if (idle.includes(thread)) idle.splice(idle.indexOf(thread), 1);
    });
    all.add(thread);
    return thread;
  };
  const next = (): Waiting | undefined => {
    const [first] = waiting;
    if (first) waiting.delete(first);
    return first;
  };
  return {
    take: (within) => {
      const free = idle.pop();
      if (free) return Promise.resolve(free);
      if (all.size < most) return Promise.resolve(start());
      if (waiting.size >= mostWaiting) return Promise.reject(new Overload('Too many PDFs are being made; try again'));
      return waitIn(waiting, within);
    },
    give: (thread) => {
      const first = next();
      if (first) first(thread);
      else idle.push(thread);
    },
    end: (thread) => {
      all.delete(thread);
      void thread.terminate();
      next()?.(start());
    },
    close: async () => {
      await Promise.all([...all].map((thread) => thread.terminate()));
    },
  };
}

/** Who has waited for too long waits no more, and takes nobody's turn. */
function waitIn(waiting: Set<Waiting>, within: number): Promise<Worker> {
  return new Promise((resolve, reject) => {
    const go: Waiting = (thread) => {
      clearTimeout(timer);
      resolve(thread);
    };
    const timer = setTimeout(() => {
      waiting.delete(go);
      reject(new Overload(`No PDF could be begun in ${Math.round(within)} ms; try again`));
    }, within);
    waiting.add(go);
  });
}
