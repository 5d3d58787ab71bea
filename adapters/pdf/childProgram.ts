import { writeFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { PrintedDocument } from '../../commands/ports.ts';
import { createTypst } from './typst.ts';

/** Messages of a child: once that it is ready, then an answer to each document. */
export type Said = { ready: true } | { bytes: Uint8Array } | { error: string };

new Worker(new URL('./lifeline.js', import.meta.url));
diesFirst();
const typeset = createTypst();
const say = (said: Said) => process.send?.(said);

process.on('message', (document: PrintedDocument) => {
  try {
    say({ bytes: typeset(document) });
  } catch (error) {
    say({ error: error instanceof Error ? error.message : String(error) });
  }
});
say({ ready: true });

/** Makes Linux kill this process first when memory runs out, rather than its parent. */
function diesFirst(): void {
  if (process.platform !== 'linux') return;
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Systems without this setting choose in their own way.
  }
}
