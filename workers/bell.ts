/** An interruptible rest. A ring during work ends the next rest at once. */
export interface Bell {
  ring(): void;
  /** Resolves at a ring, or after this many milliseconds. */
  rest(milliseconds: number): Promise<void>;
  /** Clears earlier rings. Call it before looking for the work that they announced. */
  heed(): void;
  /** Whether it has rung since the last `heed`. */
  readonly isRung: boolean;
}

export function createBell(): Bell {
  let rung = false;
  let wake: () => void = () => undefined;
  return {
    ring() {
      rung = true;
      wake();
    },
    heed() {
      rung = false;
    },
    get isRung() {
      return rung;
    },
    rest(milliseconds) {
      return new Promise((resolve) => {
        if (rung) return resolve();
        const timer = setTimeout(resolve, milliseconds);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    },
  };
}
