import type { EntityManager } from '../../db/orm.ts';
import { findPersonSession } from '../../db/queries/accounts/people.ts';
import { hashSecret } from '../kernel/secrets.ts';
import { findSecret, newSecret, takeSecret } from './secrets.ts';

/** What a link downloads, for the session that made it. */
export interface Download {
  /** Id of the live account for which the session acts. */
  accountId: number;
  /** Path and query of a request that reads, with the base path of its environment. */
  path: string;
  /** The MIME type that the request asks for. */
  accept: string;
}

/** Makes the secret of a link that works once, within a minute. Null: the session has ended. */
export async function makeDownload(
  em: EntityManager,
  { cookie, download }: { cookie: string; download: Download },
  now: Date,
): Promise<string | null> {
  const session = await findPersonSession(em, hashSecret(cookie), now);
  if (!session) return null;
  const { personId, id: sessionId } = session;
  return newSecret(em, { purpose: 'download', personId, data: { ...download, sessionId } }, now);
}

export interface LinkUse {
  secret: string;
  /** Cookie of the session that uses the link. */
  cookie: string;
  /** Whether it is only looked at, and stays usable. */
  isLook: boolean;
}

/**
 * What a link downloads. Null: it was used, is older than a minute, or another session made it, which does not use it up. Of two uses at the
 * same time one gets it.
 */
export async function useDownload(
  em: EntityManager,
  { secret, cookie, isLook }: LinkUse,
  now: Date,
): Promise<Download | null> {
  const sought = { purpose: 'download', secret } as const;
  const found = await findSecret(em, sought, now);
  const session = found && (await findPersonSession(em, hashSecret(cookie), now));
  if (!found || !session || Reflect.get(found.data, 'sessionId') !== session.id) return null;
  if (!isLook && !(await takeSecret(em, sought, now))) return null;
  const text = (name: keyof Download) => String(Reflect.get(found.data, name));
  return { accountId: Number(text('accountId')), path: text('path'), accept: text('accept') };
}
