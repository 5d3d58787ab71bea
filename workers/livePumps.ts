import { type Bell, createBell } from './bell.ts';

/** Which pump: as in the wake that starts it. */
export interface PumpName {
  process: string;
  id: number;
  shard?: number;
}

/** A pump at work: its bell, and whether it should come to an end. */
export interface LivePump {
  bell: Bell;
  readonly isClosing: boolean;
  /** It has ended: from now on a wake of it goes to Temporal. */
  leave(): void;
}

/**
 * The pumps at work in this process. A wake of one of them is a ring here instead of a signal and a workflow task there, which cost
 * many times what a delivery does. One that works in another process is woken through Temporal.
 */
export interface LivePumps {
  enter(name: PumpName): LivePump;
  /** Tells a pump to look again; false when it is not at work here. */
  ring(name: PumpName): boolean;
  /** Lets every pump finish what it has begun. */
  close(): void;
}

export function createLivePumps(): LivePumps {
  const bells = new Map<string, Bell>();
  const state = { isClosing: false };
  const keyOf = ({ process, id, shard }: PumpName) => `${process}/${id}/${shard ?? 0}`;
  return {
    enter(name) {
      const bell = createBell();
      bells.set(keyOf(name), bell);
      return {
        bell,
        get isClosing() {
          return state.isClosing;
        },
        leave() {
          if (bells.get(keyOf(name)) === bell) bells.delete(keyOf(name));
        },
      };
    },
    ring(name) {
      const bell = bells.get(keyOf(name));
      bell?.ring();
      return bell !== undefined;
    },
    close() {
      state.isClosing = true;
      for (const bell of bells.values()) bell.ring();
    },
  };
}
