import type { Presented } from '../../billing/json.ts';
import { cut, Refusal } from '../../billing/refusal.ts';
import { lockCustomerRow } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { lockStored, ownerOfStored, tagOf } from '../../db/queries/kernel/tags.ts';
import type { ApiRequest, IfMatch } from '../framework/apiRequest.ts';
import { Stale } from '../framework/errors.ts';
import type { Reply } from '../framework/route.ts';
import { storedShown } from '../framework/stored.ts';

const MOST_TAGS = 100;
/** A tag with its quotes. Proxies that compress responses put `W/` before it, which says nothing about the object. */
const TAG = /^(?:W\/)?"([\x21\x23-\x7e]{0,255})"$/;

/** The value of the header ETag. */
export const quoted = (tag: string): string => `"${tag}"`;

/** The tag in the value of the header ETag. */
export const unquoted = (header: string): string => header.slice(1, -1);

/** Reads an If-Match. Refuses one that is no list of tags. */
export function tagsIn(header: string): IfMatch {
  if (header.trim() === '*') return '*';
  const parts = header.split(',', MOST_TAGS + 1).map((part) => part.trim());
  const tags = parts.map((part) => TAG.exec(part)?.[1]);
  const known = tags.filter((tag) => tag !== undefined);
  if (known.length < parts.length || parts.length > MOST_TAGS)
    throw new Refusal(
      'parameter_invalid',
      `If-Match must be * or at most ${MOST_TAGS} ETags in double quotes, not ${cut(header)}`,
      'If-Match',
    );
  return known;
}

/**
 * Refuses a request whose object has changed since its If-Match. Locks the object first, so that of two requests with the same tag one is
 * refused. An object that is missing is left to the command.
 */
export async function requireMatch(em: EntityManager, request: ApiRequest, systemNow: Date): Promise<void> {
  const { ifMatch, caller } = request;
  const stored = request.stored?.(request);
  if (ifMatch === null || ifMatch === '*' || !stored) return;
  const customerId = await ownerOfStored(em, stored);
  if (customerId !== null) await lockCustomerRow(em, { accountId: caller.account.id, customerId }, systemNow);
  await lockStored(em, stored);
  const tag = await tagOf(em, stored);
  if (tag !== null && !ifMatch.includes(tag)) throw new Stale(tag);
}

/** The ETag of the object in the path of a read; null: the route has none, or it answers with a file. */
export async function tagOfRead(request: ApiRequest): Promise<string | null> {
  const { em, method, medium, stored } = request;
  if (method !== 'GET' || medium !== 'json' || !stored) return null;
  const tag = await tagOf(em, stored(request));
  return tag === null ? null : quoted(tag);
}

/** Adds the ETag of the object that a write answers with, as its transaction leaves it. */
export async function tagged(
  em: EntityManager,
  request: ApiRequest,
  { body, reply }: { body: Presented | Presented[] | null; reply: Reply },
): Promise<Reply> {
  if (body === null || Array.isArray(body)) return reply;
  const stored = storedShown(request, body.id) ?? request.stored?.(request);
  const tag = stored ? await tagOf(em, stored) : null;
  return tag === null ? reply : { ...reply, headers: { ...reply.headers, ETag: quoted(tag) } };
}
