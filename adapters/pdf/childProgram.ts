import { writeFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { PrintedDocument } from '../../commands/ports.ts';
import { createTypst } from './typst.ts';

/** Messages of a child: first that it is ready, then a response to each document. */
export type ChildMessage = { ready: true } | { bytes: Uint8Array } | { error: string };

new Worker(new URL('./lifeline.js', import.meta.url));
preferForOomKill();
const typeset = createTypst();
const send = (message: ChildMessage) => process.send?.(message);

process.on('message', (document: PrintedDocument) => {
  try {
    send({ bytes: typeset(document) });
  } catch (error) {
    send({ error: error instanceof Error ? error.message : String(error) });
  }
});
send({ ready: true });

/** Makes Linux kill this process and not its parent when the machine runs out of memory. */
function preferForOomKill(): void {
  if (process.platform !== 'linux') return;
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Some containers do not allow this setting.
  }
}
