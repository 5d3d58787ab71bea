import { parentPort } from 'node:worker_threads';
import type { PrintedDocument } from '../../commands/ports.ts';
import { createTypst } from './typst.ts';

/** What a thread answers to a document. */
export type Rendered = { bytes: Uint8Array<ArrayBuffer> } | { error: string };

const typeset = createTypst();

parentPort?.on('message', (document: PrintedDocument) => {
  try {
    const bytes = Uint8Array.from(typeset(document));
    parentPort?.postMessage({ bytes } satisfies Rendered, [bytes.buffer]);
  } catch (error) {
    parentPort?.postMessage({ error: error instanceof Error ? error.message : String(error) } satisfies Rendered);
  }
});
