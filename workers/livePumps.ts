import { type Bell, createBell } from './bell.ts';

/** Identifies a pump, by fields of the wake that starts it. */
export interface PumpName {
  process: string;
  id: number;
  shard?: number;
}

/** A running pump: its bell, and whether it should stop. */
export interface LivePump {
  bell: Bell;
  readonly isClosing: boolean;
  /** Removes the pump, which has ended. Later wakes for it go to Temporal. */
  leave(): void;
}

/**
 * The pumps that run in this process. They are woken by a bell, because a signal and a workflow task in Temporal cost many times more than
 * a delivery. Pumps in other processes are woken through Temporal.
 */
export interface LivePumps {
  enter(name: PumpName): LivePump;
  /** Tells a pump to look again. False: it does not run here. */
  ring(name: PumpName): boolean;
  /** Makes every pump stop after the jobs that it has begun. */
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
