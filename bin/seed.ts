import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from './config.ts';

/** Placeholder: keys that open nothing. */
export async function ensureFirstAccount(config: Config): Promise<{ liveKey: string; sandboxKey: string }> {
  const file = join(config.dataFolder, 'keys.json');
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    const keys = { liveKey: 'live_placeholder', sandboxKey: 'sandbox_placeholder' };
    writeFileSync(file, JSON.stringify(keys), { mode: 0o600 });
    return keys;
  }
}
