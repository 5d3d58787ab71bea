import { createCipher, keyFingerprint } from '../adapters/cipher.ts';
import type { Cipher } from '../commands/ports/ports.ts';
import { type SealedColumn, sealedColumns } from '../db/schema/sealedColumns.ts';
import { type Connection, connect } from '../workers/connection.ts';
import type { Config } from './config.ts';
import { ConfigError } from './configError.ts';
import { assertEncryptionKey } from './encryptionKey.ts';
import { assertOwner } from './migrate.ts';

const SLICE = 500;
/**
 * Maximum number of passes. Another pass follows each one that found texts under the other key, because a process may write one meanwhile.
 */
const MOST_PASSES = 10;

/** `perennial keys rotate`. Returns the exit code. */
export async function keys(config: Config, args: readonly string[]): Promise<number> {
  const { databaseUrl, encryptionKey, otherEncryptionKey } = config;
  if (args.length !== 1 || args[0] !== 'rotate') throw new ConfigError('Usage: perennial keys rotate');
  if (!otherEncryptionKey) throw new ConfigError('PERENNIAL_OTHER_ENCRYPTION_KEY must be the key from before');
  assertOwner(databaseUrl);
  const owner = await connect(databaseUrl);
  try {
    const count = await rotateKeys(owner, { to: encryptionKey, from: otherEncryptionKey });
    console.log(`Encrypted ${count} texts anew. PERENNIAL_OTHER_ENCRYPTION_KEY is no longer needed.`);
    return 0;
  } finally {
    await owner.close();
  }
}

/**
 * Encrypts all sealed texts that are under the key `from` with the key `to`, while processes with both keys run, and then names `to` as the key
 * of the database. Can be stopped and started again at any time: a text under `to` stays as it is. Returns the number of texts. Throws for a
 * text under neither key, and leaves it.
 */
export async function rotateKeys(owner: Connection, key: { to: Uint8Array; from: Uint8Array }): Promise<number> {
  const [deployment] = await owner.query<{ fingerprint: string }>(
    'select key_fingerprint as fingerprint from deployment',
  );
  if (deployment) assertEncryptionKey(deployment.fingerprint, key.to, key.from);
  const [to, from] = [createCipher(key.to), createCipher(key.from)];
  let count = 0;
  for (let pass = 1; pass <= MOST_PASSES; pass += 1) {
    let changed = 0;
    for (const column of sealedColumns) changed += await rotateColumn(owner, column, { to, from });
    count += changed;
    if (changed === 0) {
      await owner.query('update deployment set key_fingerprint = $1', [keyFingerprint(key.to)]);
      return count;
    }
  }
  throw new ConfigError(
    'A process still encrypts with PERENNIAL_OTHER_ENCRYPTION_KEY: give all processes the new key first',
  );
}

interface SealedRow {
  place: string[];
  sealed: string;
}

/** One pass over a column, in slices in the order of the primary key. Each text is changed only if it is still the same. */
async function rotateColumn(
  owner: Connection,
  { table, key, column, where }: SealedColumn,
  ciphers: { to: Cipher; from: Cipher },
): Promise<number> {
  const names = key.join(', ');
  const places = key.map((_, index) => `$${index + 1}`).join(', ');
  const select = (after: string) => `select array[${key.map((name) => `${name}::text`).join(', ')}] as place,
    ${column} as sealed from ${table} where ${where} ${after} order by ${names} limit ${SLICE}`;
  const update = `update ${table} set ${column} = $${key.length + 1}
    where (${names}) = (${places}) and ${column} = $${key.length + 2} returning 1`;
  let rows = await owner.query<SealedRow>(select(''));
  let changed = 0;
  while (rows.length > 0) {
    for (const { place, sealed } of rows) {
      const anew = sealedAnew(sealed, ciphers, `${table} ${place.join('/')}`);
      if (anew !== null) changed += (await owner.query(update, [...place, anew, sealed])).length;
    }
    rows = await owner.query<SealedRow>(select(`and (${names}) > (${places})`), rows.at(-1)?.place ?? []);
  }
  return changed;
}

/** The text under the new key. Null: it is already. */
function sealedAnew(sealed: string, { to, from }: { to: Cipher; from: Cipher }, what: string): string | null {
  if (opens(to, sealed)) return null;
  if (!opens(from, sealed)) throw new ConfigError(`${what} was encrypted with neither of the two keys`);
  return to.encrypt(from.decrypt(sealed));
}

function opens(cipher: Cipher, sealed: string): boolean {
  try {
    cipher.decrypt(sealed);
    return true;
  } catch {
    return false;
  }
}
