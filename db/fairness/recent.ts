/** Default time for which a holder counts as active after it asked for a place. */
const LATELY_MILLISECONDS = 1000;

/** Remembers who asked for a place recently. */
export interface Recent<Who> {
  note(who: Who): void;
  /** True if nobody else has asked recently. */
  isAlone(who: Who): boolean;
}

export function createRecent<Who>(latelyMilliseconds = LATELY_MILLISECONDS): Recent<Who> {
  let [last, other]: { who: Who; at: number }[] = [];
  return {
    note(who) {
      if (last && last.who !== who) other = last;
      last = { who, at: performance.now() };
    },
    isAlone(who) {
      const someone = last?.who === who ? other : last;
      return !someone || someone.at + latelyMilliseconds < performance.now();
    },
  };
}
