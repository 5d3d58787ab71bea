import type { NativeConnection } from '@temporalio/worker';
import { searchAttributes } from '../workflows/client.ts';
import type { Log } from './deps.ts';

const KEYWORD = 2;
const ALREADY_EXISTS = 6;

/** Registers the attributes that operators search processes by. False where the server does not let us: processes start without. */
export async function ensureSearchAttributes(
  connection: NativeConnection,
  namespace: string,
  log: Log,
): Promise<boolean> {
  const wanted = Object.fromEntries(searchAttributes.map((attribute) => [attribute.name, KEYWORD]));
  try {
    await connection.operatorService.addSearchAttributes({ namespace, searchAttributes: wanted });
    return true;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === ALREADY_EXISTS) return true;
    log.info({ reason: String(error) }, 'search attributes are not available; processes start without them');
    return false;
  }
}
