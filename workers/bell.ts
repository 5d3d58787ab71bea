/** Something to rest on that can be woken: a ring during work ends the next rest at once. */
export interface Bell {
  ring(): void;
  /** Ends after so many milliseconds, or at a ring. */
  rest(milliseconds: number): Promise<void>;
  /** Forgets the rings so far: what they asked for begins now. */
  heed(): void;
  /** Whether it has been rung since. */
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
