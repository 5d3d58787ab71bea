/**
 * How the test gateway misbehaves. Parts are from 0 to 1. The same seed draws the same faults, in the order of the calls.
 */
export interface GatewayFaults {
  seed: number;
  /** Part of the calls whose answer gets lost: the call is carried out, and the caller gets an error. */
  lostAnswers: number;
  /** Part of the events that are sent twice at once, and part of the accepted ones that are sent again later. */
  repeatedEvents: number;
  /** Part of the events that wait, so that later ones overtake them. */
  lateEvents: number;
}

/** Draws the faults of one gateway. Without `misbehave` there are none. */
export interface FaultyLine {
  misbehave(faults: GatewayFaults | null): void;
  /** Returns the answer of a call. Throws instead for the part of calls that `lostAnswers` names. The call is carried out in both cases. */
  heard<Answer>(call: Promise<Answer>): Promise<Answer>;
  /**
   * Applies the faults to due events: leaves late ones out, sends some twice, and shuffles them. Without faults, returns all events
   * unchanged.
   */
  sent<Event>(due: readonly Event[]): Event[];
  /** Whether an accepted event is sent again later. */
  isRepeatedLater(): boolean;
}

export function createFaultyLine(): FaultyLine {
  let faults: GatewayFaults | null = null;
  let random = randomFrom(0);
  const isDrawn = (part: number | undefined): boolean => part !== undefined && random() < part;
  return {
    misbehave(wanted) {
      faults = wanted;
      random = randomFrom(wanted?.seed ?? 0);
    },
    async heard(call) {
      const answer = await call;
      if (isDrawn(faults?.lostAnswers)) throw new Error('The answer of the test gateway was lost');
      return answer;
    },
    sent(due) {
      const inTime = due.filter(() => !isDrawn(faults?.lateEvents));
      const often = inTime.flatMap((event) => (isDrawn(faults?.repeatedEvents) ? [event, event] : [event]));
      return faults ? shuffled(often, random) : often;
    },
    isRepeatedLater: () => isDrawn(faults?.repeatedEvents),
  };
}

function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  return items
    .map((item) => ({ item, place: random() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ item }) => item);
}

/** Numbers from 0 to 1 by a linear congruential generator. */
function randomFrom(seed: number): () => number {
  let state = BigInt.asUintN(64, BigInt(Math.trunc(seed)));
  return () => {
    state = BigInt.asUintN(64, state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n);
    return Number(state >> 33n) / 2 ** 31;
  };
}
