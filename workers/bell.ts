/** A rest that can be interrupted. A ring during work ends the next rest at once. */
export interface Bell {
  ring(): void;
  /** Resolves after this many milliseconds, or at a ring. */
  rest(milliseconds: number): Promise<void>;
  /** Clears earlier rings: the work that they asked for begins now. */
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
