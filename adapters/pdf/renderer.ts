import { availableParallelism } from 'node:os';
import { Overload } from '../../billing/overload.ts';
import { Unprintable } from '../../billing/unprintable.ts';
import type { PdfRenderer } from '../../commands/ports.ts';
import { createChildren } from './children.ts';

/** Default limits of one document: processor time and time by the clock in milliseconds, resident memory of its child in MiB. */
export const DOCUMENT_LIMITS = { processorTime: 20_000, deadline: 60_000, memory: 512 };

export interface RendererOptions {
  /** Maximum number of documents rendered at a time. Default: the number of processors, at least two, at most five. */
  children?: number;
  /** Maximum CPU time for one document, milliseconds. A document that exceeds it is unprintable. */
  processorTime?: number;
  /** Timeout for one document by the clock, milliseconds. A child hangs or the machine is busy: Overload. */
  deadline?: number;
  /** Maximum resident memory of a child while it renders a document, MiB. */
  memory?: number;
  /** How long a document may wait for a child, milliseconds. Default: 10,000. */
  patience?: number;
  /** Maximum number of waiting documents of one account. More are refused with Overload. Default: 50. */
  mostWaiting?: number;
  /** How long an idle child is kept, milliseconds. Default: 60,000. */
  idle?: number;
}

/**
 * Renders documents in child processes, which can be killed, so that a bad document ends at most its own child. Children start when they are
 * needed and end when they are idle. `render` rejects with Unprintable when the document is at fault, and with Overload when no child is free
 * or done in time.
 */
export function createPdfRenderer(options: RendererOptions = {}): PdfRenderer & { close(): void } {
  const { children: most = Math.min(5, Math.max(2, availableParallelism())) } = options;
  const { processorTime, deadline, memory } = { ...DOCUMENT_LIMITS, ...options };
  const { patience = 10_000, mostWaiting = 50, idle = 60_000 } = options;
  const children = createChildren({ most, mostWaiting, idle, limits: { processorTime, deadline, memory } });
  return {
    render: async (document, accountId = 0) => {
      let taken = await children.take(accountId, patience);
      const once = () => taken.child.render(document);
      const again = (error: unknown) => {
        if (!taken.isUsed || isOwnFault(error) || error instanceof Overload) throw error;
        taken = taken.replace();
        return once();
      };
      try {
        const bytes = await once().catch(again);
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

/** Whether the document itself is certainly at fault. A used child may crash or run out of memory because of earlier documents. */
function isOwnFault(error: unknown): boolean {
  return error instanceof Unprintable && (error.reason === 'time' || error.reason === 'content');
}
