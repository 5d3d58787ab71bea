import { auditSigner, linkActs, type Sign } from '../commands/kernel/auditChain.ts';
import type { Cipher } from '../commands/ports/ports.ts';
import { failpoint } from '../db/failpoint.ts';
import { retrying } from '../db/transaction.ts';
import type { Connection } from './connection.ts';
import type { RelayBatch } from './relayBatch.ts';

const BATCH = 500;

interface LinkDeps {
  systemNow: () => Date;
  cipher: Cipher;
}

/**
 * Links committed rows of the audit log to the chains of their accounts. Only the leading relay calls it, over the connection that holds the
 * leader's lock.
 */
export function linkBatches(deps: LinkDeps, connection: Connection): RelayBatch {
  let sign: Sign | null = null;
  return async () => {
    sign ??= await auditSigner(connection, deps.cipher);
    if (!sign) return false;
    const signing = sign;
    const link = async () => {
      const count = await linkActs(connection, signing, { now: deps.systemNow(), limit: BATCH });
      if (count > 0) await failpoint('relay.linking');
      return count;
    };
    const linked = await retrying(() => connection.transaction(link));
    if (linked > 0) await failpoint('relay.linked');
    return linked >= BATCH;
  };
}
