import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { PdfRenderer, PrintedDocument } from '../../commands/ports.ts';
import type { Rendered } from './thread.ts';

export interface RendererOptions {
  /** How many documents are set at a time; all processors but one, at most four, unless said otherwise. */
  threads?: number;
  /** How long one may take, milliseconds. */
  deadline?: number;
}

/** Sets documents in threads of their own: a long one takes a second, and requests go on meanwhile. Threads start when first needed. */
export function createPdfRenderer(options: RendererOptions = {}): PdfRenderer & { close(): Promise<void> } {
  const { threads = Math.min(4, Math.max(1, availableParallelism() - 1)), deadline = 30_000 } = options;
  const idle: Worker[] = [];
  const all = new Set<Worker>();
  const waiting: ((thread: Worker) => void)[] = [];
  const take = (): Promise<Worker> => {
    const free = idle.pop();
    if (free) return Promise.resolve(free);
    if (all.size < threads) return Promise.resolve(start());
    return new Promise((resolve) => waiting.push(resolve));
  };
  const start = (): Worker => {
    const thread = new Worker(new URL('./thread.ts', import.meta.url));
    thread.unref();
    thread.on('error', () => undefined); // told by its exit; whoever waits for it hears of it
    thread.once('exit', () => {
      all.delete(thread);
      if (idle.includes(thread)) idle.splice(idle.indexOf(thread), 1);
    });
    all.add(thread);
    return thread;
  };
  const give = (thread: Worker): void => {
    const next = waiting.shift();
    if (next) next(thread);
    else idle.push(thread);
  };
  /** One that failed is not asked again. */
  const end = (thread: Worker): void => {
    all.delete(thread);
    void thread.terminate();
    const next = waiting.shift();
    if (next) next(start());
  };
  return {
    render: async (document) => {
      const thread = await take();
      try {
        const bytes = await ask(thread, document, deadline);
        give(thread);
        return bytes;
      } catch (error) {
        end(thread);
        throw error;
      }
    },
    close: async () => {
      await Promise.all([...all].map((thread) => thread.terminate()));
    },
  };
}

function ask(thread: Worker, document: PrintedDocument, deadline: number): Promise<Uint8Array> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
  const timer = setTimeout(() => reject(new Error(`PDF not ready after ${deadline} ms`)), deadline);
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
