import { availableParallelism } from 'node:os';
import { Overload } from '../../billing/overload.ts';
import { Unprintable } from '../../billing/unprintable.ts';
import type { PdfRenderer } from '../../commands/ports.ts';
import { createChildren } from './children.ts';

export interface RendererOptions {
  /** How many documents are set at a time; unless said otherwise one for each processor, at least two, at most five. */
  children?: number;
  /** How much CPU time one may take to set, milliseconds: more is the document's own fault. */
  processorTime?: number;
  /** How long one may take to set by the clock, milliseconds: more is the fault of a child that hangs, or of a busy machine. */
  deadline?: number;
  /** How much resident memory a child may hold while it sets one, MiB. */
  memory?: number;
  /** How long one may wait for others, milliseconds. */
  patience?: number;
  /** How many of one account may wait for others; beyond that none is taken. */
  mostWaiting?: number;
  /** How long a child without work is kept, milliseconds. */
  idle?: number;
}

/**
 * Sets documents in child processes, which can be killed: whatever is in a document, at most its own child ends. A child is started
 * when it is needed; at rest there is none.
 */
export function createPdfRenderer(options: RendererOptions = {}): PdfRenderer & { close(): void } {
  const { children: most = Math.min(5, Math.max(2, availableParallelism())) } = options;
  const { processorTime = 20_000, deadline = 60_000, memory = 512 } = options;
  const { patience = 10_000, mostWaiting = 50, idle = 60_000 } = options;
  const children = createChildren({ most, mostWaiting, idle, limits: { processorTime, deadline, memory } });
  return {
    render: async (document, accountId = 0) => {
      let taken = await children.take(accountId, patience);
      const set = () => taken.child.set(document);
      const setAgain = (error: unknown) => {
        if (!taken.isUsed || isOwnFault(error) || error instanceof Overload) throw error;
        taken = taken.replace();
        return set();
      };
      try {
        const bytes = await set().catch(setAgain);
        taken.give('works');
        return bytes;
      } catch (error) {
        taken.give('failed');
        throw error;
      }
    },
    close: children.close,
  };
}

/** A used child may have crashed, or run out of memory, for what earlier documents left in it. */
function isOwnFault(error: unknown): boolean {
  return error instanceof Unprintable && (error.reason === 'time' || error.reason === 'content');
}
