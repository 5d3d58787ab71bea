import { setTimeout as pause } from 'node:timers/promises';
import { type Bell, createBell } from './bell.ts';

/** The test clocks that advance in this process. Each rests on its bell until something may have changed. */
export interface ClockBells {
  enter(): Bell;
  leave(bell: Bell): void;
  /** Tells every clock that something may have changed. */
  ring(): void;
  /** Interrupts every clock. Another worker continues them. */
  close(): void;
  /** Resolves after this time, or when the clocks are interrupted, or when `signal` aborts. */
  pause(milliseconds: number, signal: AbortSignal): Promise<void>;
  readonly isClosing: boolean;
}

export function createClockBells(): ClockBells {
  const bells = new Set<Bell>();
  const closing = new AbortController();
  const ring = () => {
    for (const bell of bells) bell.ring();
  };
  return {
    enter() {
      const bell = createBell();
      bells.add(bell);
      return bell;
    },
    leave: (bell) => void bells.delete(bell),
    ring,
    close() {
      closing.abort();
      ring();
    },
    pause: (milliseconds, signal) =>
      pause(milliseconds, undefined, { signal: AbortSignal.any([closing.signal, signal]) }).catch(() => undefined),
    get isClosing() {
      return closing.signal.aborted;
    },
  };
}
