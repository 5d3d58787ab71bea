import { availableParallelism } from 'node:os';
import { Overload } from '../../billing/overload.ts';
import { Unprintable } from '../../billing/unprintable.ts';
import type { PdfRenderer } from '../../commands/ports.ts';
import { createChildren } from './children.ts';

export interface RendererOptions {
  /** Documents rendered at a time. Default: one for each processor, at least two, at most five. */
  children?: number;
  /** CPU time for one document, milliseconds. Exceeding it is the document's fault. */
  processorTime?: number;
  /** Timeout for one document by the clock, milliseconds. Exceeding it is the fault of a hanging child or a busy machine. */
  deadline?: number;
  /** Resident memory that a child may hold while it renders one document, MiB. */
  memory?: number;
  /** How long a document may wait for others, milliseconds. */
  patience?: number;
  /** Documents of one account that may wait. More are refused. */
  mostWaiting?: number;
  /** How long an idle child is kept, milliseconds. */
  idle?: number;
}

/**
 * Renders documents in child processes, which can be killed: a bad document ends at most its own child. Children start when they are
 * needed; at rest there are none.
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

/** Whether the document is at fault. A used child may also have crashed, or run out of memory, because of earlier documents. */
function isOwnFault(error: unknown): boolean {
  return error instanceof Unprintable && (error.reason === 'time' || error.reason === 'content');
}
