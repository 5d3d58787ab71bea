const RETRYABLE = new Set(['40001', '40P01']);
/** The server ended the session: shutdown (2), connection lost (3). A transaction that was about to commit may have done so. */
const CUT = new Set(['57P01', '57P02', '08000', '08003', '08006']);
/** Lock timeout; starting up; too many connections; no disk; no memory; read-only; statement timeout; idle-in-transaction timeout. */
const UNAVAILABLE = new Set(['55P03', '57P03', '53300', '53100', '53200', '25006', '57014', '25P03']);
const NETWORK = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);
/** Failures to connect to a Unix socket: its file does not exist, its queue is full, or this user may not connect to it. */
const SOCKET = new Set(['ENOENT', 'EAGAIN', 'EACCES']);

function property(error: unknown, name: 'code' | 'constraint' | 'syscall' | 'routine'): string | null {
  if (typeof error !== 'object' || error === null) return null;
  const value: unknown = Reflect.get(error, name);
  return typeof value === 'string' ? value : null;
}

/** A migration changed the result columns of a prepared statement. When run again, the statement is planned anew. */
export function isStale(error: unknown): boolean {
  return property(error, 'code') === '0A000' && property(error, 'routine') === 'RevalidateCachedQuery';
}

/** Thrown when another transaction was faster. Running the transaction again may succeed. */
export class Overtaken extends Error {
  override readonly name = 'Overtaken';
  readonly code = '40001';
}

/** A month of the audit log was opened while a row for it was on its way to the partition for the rest. */
function isMisplaced(error: unknown): boolean {
  return property(error, 'code') === '23514' && property(error, 'routine') === 'ExecPartitionCheckEmitError';
}

/** Serialization failure, deadlock, a plan made stale by a migration, or a new partition: the same transaction may succeed when run again. */
export function isRetryable(error: unknown): boolean {
  return RETRYABLE.has(property(error, 'code') ?? '') || isStale(error) || isMisplaced(error);
}

/** Another transaction held a row for longer than the lock timeout. */
export function isLockTimeout(error: unknown): boolean {
  return property(error, 'code') === '55P03';
}

/** A statement exceeded its timeout. */
export function isCanceled(error: unknown): boolean {
  return property(error, 'code') === '57014';
}

/** The server refused the login or its password. */
export function isLoginRefused(error: unknown): boolean {
  return ['28P01', '28000'].includes(property(error, 'code') ?? '');
}

/** A value does not fit the type or range of the column that it is compared with. */
export function isMisfit(error: unknown): boolean {
  return (property(error, 'code') ?? '').startsWith('22');
}

/** The database could not be reached or did not answer in time. The command itself may be correct. */
export function isUnavailable(error: unknown): boolean {
  const code = property(error, 'code') ?? '';
  if (RETRYABLE.has(code) || UNAVAILABLE.has(code) || isCut(error)) return true;
  if (SOCKET.has(code) && property(error, 'syscall') === 'connect') return true;
  return /timeout expired|timeout exceeded when trying to connect|Client has encountered a connection error|is not queryable/i.test(
    messageOf(error),
  );
}

/** The server has ended the session instead of carrying out the statement. */
export function isEnded(error: unknown): boolean {
  return ['57P01', '57P02'].includes(property(error, 'code') ?? '');
}

/** The connection was lost after a statement was sent: the server may have carried it out. */
export function isCut(error: unknown): boolean {
  const code = property(error, 'code') ?? '';
  return CUT.has(code) || NETWORK.has(code) || /connection (terminated|timeout|ended)/i.test(messageOf(error));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : '';
}

/** Name of the unique constraint that the failed statement violates, or null. */
export function brokenUnique(error: unknown): string | null {
  return property(error, 'code') === '23505' ? (property(error, 'constraint') ?? '') : null;
}

/** The statement would have written a row that its session, of a member that sees only its own customers, may not write. */
export function isForeignRow(error: unknown): boolean {
  return property(error, 'code') === '42501' && messageOf(error).includes('row-level security policy "owner"');
}

/** Describes an error for use outside the database. PostgreSQL's own message may repeat the row, with names and addresses. */
export function describeFailure(error: unknown): string {
  const code = property(error, 'code') ?? '';
  if (/^[0-9A-Z]{5}$/.test(code)) {
    const constraint = property(error, 'constraint');
    return `database error ${code}${constraint ? ` (${constraint})` : ''}`;
  }
  return error instanceof Error ? error.message : String(error);
}
