import { once } from 'node:events';
import { z } from 'zod';

/** Variable that tells a program to wait for more of its environment. */
export const WAITS = 'PERENNIAL_WAITS_FOR_PARENT';

/** Waits for the variables that the parent sends, if `WAITS` is set. The program has already loaded its code. */
export async function environmentFromParent(): Promise<void> {
  if (!process.env[WAITS]) return;
  delete process.env[WAITS];
  const [variables] = await once(process, 'message');
  Object.assign(process.env, z.record(z.string(), z.string()).parse(variables));
}
