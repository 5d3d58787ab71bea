import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import type { PdfRenderer, PrintedDocument } from '../../commands/ports.ts';
import type { Rendered } from './thread.ts';
import { createThreads } from './threads.ts';

export interface RendererOptions {
  /** How many documents are set at a time; all processors but one, at most four, unless said otherwise. */
  threads?: number;
  /** How long one may take from when it is asked for, its wait for others included, milliseconds. */
  deadline?: number;
  /** How many may wait for others; beyond that none is taken. */
  mostWaiting?: number;
}

/** Sets documents in threads of their own: a long one takes a second, and requests go on meanwhile. */
export function createPdfRenderer(options: RendererOptions = {}): PdfRenderer & { close(): Promise<void> } {
  const { threads: most = Math.min(4, Math.max(1, availableParallelism() - 1)) } = options;
  const { deadline = 30_000, mostWaiting = 100 } = options;
  const threads = createThreads({ most, mostWaiting });
  return {
    render: async (document) => {
      const giveUpAt = performance.now() + deadline;
      // What has waited for long still has time to be set.
      const thread = await threads.take(deadline / 2);
      try {
        const bytes = await ask(thread, document, { milliseconds: giveUpAt - performance.now(), deadline });
        threads.give(thread);
        return bytes;
      } catch (error) {
        threads.end(thread);
        throw error;
      }
    },
    close: threads.close,
  };
}

/** `milliseconds`: what is left of the deadline. */
function ask(
  thread: Worker,
  document: PrintedDocument,
  { milliseconds, deadline }: { milliseconds: number; deadline: number },
): Promise<Uint8Array> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
  const timer = setTimeout(() => reject(new Error(`PDF not ready after ${deadline} ms`)), milliseconds);
  const onMessage = (rendered: Rendered) =>
    'bytes' in rendered ? resolve(rendered.bytes) : reject(new Error(rendered.error));
  const onExit = () => reject(new Error('the thread that sets PDFs ended'));
  thread.once('message', onMessage).once('error', reject).once('exit', onExit);
  thread.postMessage(document);
  return promise.finally(() => {
    clearTimeout(timer);
    thread.off('message', onMessage).off('error', reject).off('exit', onExit);
  });
}
