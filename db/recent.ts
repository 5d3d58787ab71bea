/** For so long after it asked for a place somebody counts as working. */
const LATELY_MILLISECONDS = 1000;

/** Who asked for a place lately. */
export interface Recent<Who> {
  note(who: Who): void;
  /** Nobody else has asked in the last second. */
  isAlone(who: Who): boolean;
}

export function createRecent<Who>(): Recent<Who> {
  let [last, other]: { who: Who; at: number }[] = [];
  return {
    note(who) {
      if (last && last.who !== who) other = last;
      last = { who, at: performance.now() };
    },
    isAlone(who) {
      const someone = last?.who === who ? other : last;
      return !someone || someone.at + LATELY_MILLISECONDS < performance.now();
    },
  };
}
