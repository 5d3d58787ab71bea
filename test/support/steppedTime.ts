/** Time that a test moves by hand, for `systemNow`. Processes follow when the sweep finds their wake-ups overdue. */
export interface SteppedTime {
  systemNow(): Date;
  moveTo(at: string): void;
}

export function steppedTime(start: string): SteppedTime {
  let now = new Date(start);
  return {
    systemNow: () => new Date(now),
    moveTo: (at) => {
      now = new Date(at);
    },
  };
}

/** Settings under which the sweep hands out at once whatever is overdue in stepped time, and takes no leap for a problem. */
export const sweptConfig = {
  sweepIntervalMilliseconds: 50,
  sweepAgeMilliseconds: 0,
  sweepProblemAgeMilliseconds: Number.POSITIVE_INFINITY,
};
