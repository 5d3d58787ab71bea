import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { PdfRenderer, PrintedDocument } from '../../commands/ports/ports.ts';
import type { Program } from '../children/child.ts';
import { createPool } from '../children/pool.ts';

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

/** A document, and what is made of it. */
export interface Task {
  document: PrintedDocument;
  as: 'pdf' | 'svg';
}

/** A PDF, or the text of an SVG, which is empty if the picture would be too large. */
export interface Paper {
  bytes: Uint8Array;
  pages: number;
}

/** Typst may use one thread, and says nothing about its stack. */
const ENVIRONMENT = { RUST_BACKTRACE: '0', RAYON_NUM_THREADS: '1' };

const program: Program = {
  file: fileURLToPath(new URL('./childProgram.ts', import.meta.url)),
  nodeArguments: [],
  environment: ENVIRONMENT,
  words: { product: 'PDF', plural: 'PDFs', maker: 'typesetter' },
};

/** Renders documents in child processes. Both functions reject like `run` of a pool. */
export function createPdfRenderer(options: RendererOptions = {}): PdfRenderer & { close(): void } {
  const { children = Math.min(5, Math.max(2, availableParallelism())) } = options;
  const { processorTime, deadline, memory } = { ...DOCUMENT_LIMITS, ...options };
  const { patience = 10_000, mostWaiting = 50, idle = 60_000 } = options;
  const limits = { processorTime, deadline, memory };
  const pool = createPool<Task, Paper>(program, { children, patience, mostWaiting, idle, limits });
  return {
    render: async (document, accountId = 0) => (await pool.run({ document, as: 'pdf' }, accountId)).bytes,
    draw: async (document, accountId = 0) => {
      const { bytes, pages } = await pool.run({ document, as: 'svg' }, accountId);
      return bytes.length === 0 ? null : { svg: Buffer.from(bytes).toString(), pages };
    },
    close: pool.close,
  };
}
