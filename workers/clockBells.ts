import { type Bell, createBell } from './bell.ts';
import { type ClockRest, createClockRest } from './clockRest.ts';

/** The test clocks that advance in this process. Each has a bell, on which it rests until something may have happened. */
export interface ClockBells {
  enter(accountId: number): Bell;
  leave(bell: Bell): void;
  /** Tells every clock that something may have happened. */
  ring(): void;
  /** Makes every clock stop where it is. Another worker continues. */
  close(): void;
  readonly isClosing: boolean;
  /** How many of an account advance. */
  countOf(accountId: number): number;
  rest: ClockRest;
}

export function createClockBells(): ClockBells {
  const bells = new Map<Bell, number>();
  let isClosing = false;
  const ring = () => {
    for (const bell of bells.keys()) bell.ring();
  };
  return {
    enter(accountId) {
      const bell = createBell();
      bells.set(bell, accountId);
      return bell;
    },
    leave: (bell) => void bells.delete(bell),
    ring,
    countOf: (accountId) => [...bells.values()].filter((one) => one === accountId).length,
    rest: createClockRest(),
    close() {
      isClosing = true;
      ring();
    },
    get isClosing() {
      return isClosing;
    },
  };
}
