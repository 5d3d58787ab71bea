import { timingSafeEqual } from 'node:crypto';
import { LARGEST_ID } from '../../body/readers.ts';

const ADDRESS = /^(\/(subscriptions|sources)\/(\d{1,9})\/(\d{1,10})\/([0-9a-f]{32}))(?:\/(tokens|[0-9a-f-]{36}))?$/;

/** Parts of the public URL of a subscription, or of the page that adds a payment source of a customer. */
export interface ManagingAddress {
  kind: 'subscriptions' | 'sources';
  accountId: number;
  id: number;
  token: string;
  /** Path of the page. */
  path: string;
  /** Key of an operation whose outcome is shown; null: the page itself. */
  key: string | null;
  /** Whether it is the address that makes tokens of what the gateway's fields took. */
  makesTokens: boolean;
}

/** Parses the path of a page about a subscription or a payment source. Null when it is none. */
export function readManagingAddress(path: string): ManagingAddress | null {
  const [, page = '', kind = '', account = '', id = '', token = '', part = null] = ADDRESS.exec(path) ?? [];
  if ((kind !== 'subscriptions' && kind !== 'sources') || Number(id) > LARGEST_ID) return null;
  const makesTokens = part === 'tokens';
  const key = makesTokens ? null : part;
  return { kind, accountId: Number(account), id: Number(id), token, path: page, key, makesTokens };
}

/** Whether a URL has the token of an object. An object from before its page has none. */
export function hasToken(
  address: Pick<ManagingAddress, 'token'>,
  row: { token?: string | null | undefined } | null,
): boolean {
  const token = row?.token ?? '';
  return token.length === address.token.length && timingSafeEqual(Buffer.from(token), Buffer.from(address.token));
}

/** The path of a page. */
export function managingPath(
  kind: ManagingAddress['kind'],
  { accountId, id, token }: Pick<ManagingAddress, 'accountId' | 'id' | 'token'>,
): string {
  return `/${kind}/${accountId}/${id}/${token}`;
}
