import type { NativeConnection } from '@temporalio/worker';
import { searchAttributes } from '../workflows/searchAttributes.ts';
import type { Log } from './deps.ts';

const registered = Object.values(searchAttributes);
const KEYWORD = 2;
const INVALID_ARGUMENT = 3;
const ALREADY_EXISTS = 6;

/**
 * Registers the search attributes that operators use, unless the server has them already. False: the server does not have them, for example
 * because this client may not register any. Processes then start without them.
 */
export async function ensureSearchAttributes(
  connection: NativeConnection,
  namespace: string,
  log: Log,
): Promise<boolean> {
  try {
    if (await areKnown(connection, namespace)) return true;
    await register(connection, namespace);
    if (await areKnown(connection, namespace)) return true;
    throw new Error('registered, but not known');
  } catch (error) {
    log.info({ reason: String(error) }, 'search attributes are not available; processes start without them');
    return false;
  }
}

/** Whether the server knows all attributes: it refuses a query with an unknown one. The query counts nothing. */
async function areKnown(connection: NativeConnection, namespace: string): Promise<boolean> {
  const query = registered.map(({ name }) => `${name} = '0'`).join(' or ');
  try {
    await connection.workflowService.countWorkflowExecutions({ namespace, query });
    return true;
  } catch (error) {
    if (codeOf(error) === INVALID_ARGUMENT) return false;
    throw error;
  }
}

/** Registers the attributes one by one, because a server may refuse a list with an attribute that it already has. */
async function register(connection: NativeConnection, namespace: string): Promise<void> {
  for (const { name } of registered) {
    try {
      await connection.operatorService.addSearchAttributes({ namespace, searchAttributes: { [name]: KEYWORD } });
    } catch (error) {
      if (codeOf(error) !== ALREADY_EXISTS) throw error;
    }
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : null;
}
