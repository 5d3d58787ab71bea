import type { Settings } from '../bin/config.ts';

/** Placeholder: measures nothing. */
export async function run(_settings: Settings, _args: readonly string[]): Promise<number> {
  console.error('There is nothing to measure yet.');
  return 1;
}
