import { Overload, Unprintable } from '../../billing/failures.ts';
import type { Limits, Program } from './child.ts';
import { createChildren } from './children.ts';

export interface PoolOptions {
  /** Maximum number of tasks at a time. */
  children: number;
  /** How long a task may wait for a child, milliseconds. */
  patience: number;
  /** Maximum number of waiting tasks of one account. More are refused with Overload. */
  mostWaiting: number;
  /** How long an idle child is kept, milliseconds. */
  idle: number;
  limits: Limits;
}

/** Does tasks in child processes. */
export interface Pool<Task, Result> {
  /** Rejects with Unprintable when the task is at fault, and with Overload when no child is free or done in time. */
  run(task: Task, accountId: number): Promise<Result>;
  close(): void;
}

/**
 * Child processes of a program, which can be killed, so that a bad task ends at most its own child. Children start when they are needed and
 * end when they are idle. A task that fails in a used child is tried again in a new one, unless it is certainly at fault itself.
 */
export function createPool<Task, Result>(program: Program, options: PoolOptions): Pool<Task, Result> {
  const { patience, children: most, ...others } = options;
  const children = createChildren<Task, Result>({ program, most, ...others });
  return {
    run: async (task, accountId) => {
      let taken = await children.take(accountId, patience);
      const once = () => taken.child.run(task);
      const again = (error: unknown) => {
        if (!taken.isUsed || isOwnFault(error) || error instanceof Overload) throw error;
        taken = taken.replace();
        return once();
      };
      try {
        const result = await once().catch(again);
        taken.give('works');
        return result;
      } catch (error) {
        taken.give('failed');
        throw error;
      }
    },
    close: children.close,
  };
}

/** Whether the task itself is certainly at fault. A used child may crash or run out of memory because of earlier tasks. */
function isOwnFault(error: unknown): boolean {
  return error instanceof Unprintable && (error.reason === 'time' || error.reason === 'content');
}
