import type { EntityManager } from '../../db/orm.ts';
import { stoppedDigests, storeStop } from '../../db/queries/texts/texts.ts';
import { hashSecret } from '../kernel/secrets.ts';

/** A number is kept only as its digest, because it stays stopped when its customer is anonymized. */
const digestOf = (accountId: number, number: string): string => hashSecret(`text:${accountId}:${number}`);

/** The numbers among these that have stopped texts of an account. */
export async function stoppedNumbers(
  em: EntityManager,
  accountId: number,
  numbers: readonly string[],
): Promise<Set<string>> {
  const digests = numbers.map((number) => digestOf(accountId, number));
  const stopped = await stoppedDigests(em, { accountId, digests });
  return new Set(numbers.filter((number) => stopped.has(digestOf(accountId, number))));
}

/** Stops texts of an account to a number, or allows them again. Repeating it changes nothing. */
export function changeStop(
  em: EntityManager,
  { accountId, number, isStopped }: { accountId: number; number: string; isStopped: boolean },
  systemNow: Date,
): Promise<void> {
  return storeStop(em, { accountId, digest: digestOf(accountId, number), isStopped, now: systemNow });
}
