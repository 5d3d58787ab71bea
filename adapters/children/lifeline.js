import { readSync } from 'node:fs';

/**
 * A thread of the child that blocks until the parent's end of the pipe closes, then kills the child. The main
 * thread could not notice while it is inside native code. The parent never writes to the pipe.
 */
for (let isOpen = true; isOpen; ) {
  try {
    isOpen = readSync(0, Buffer.alloc(1)) > 0;
  } catch (error) {
    isOpen = error instanceof Error && 'code' in error && error.code === 'EINTR';
  }
}
process.kill(process.pid, 'SIGKILL');
