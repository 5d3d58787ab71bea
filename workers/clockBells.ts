import { type Bell, createBell } from './bell.ts';

/** The test clocks that advance in this process. Each rests on its bell until something may have changed. */
export interface ClockBells {
  enter(): Bell;
  leave(bell: Bell): void;
  /** Tells every clock that something may have changed. */
  ring(): void;
  /** Interrupts every clock. Another worker continues them. */
  close(): void;
  readonly isClosing: boolean;
}

export function createClockBells(): ClockBells {
  const bells = new Set<Bell>();
  let isClosing = false;
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
      isClosing = true;
      ring();
    },
    get isClosing() {
      return isClosing;
    },
  };
}
