import { LARGEST_ID } from '../../body/readers.ts';

const ADDRESS =
  /^(\/(sign_up|pay)\/(\d{1,9})\/(customers\/)?(\d{1,10})\/([0-9a-f]{32}))(?:\/(tokens|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}))?$/;

/** Parts of the address of a sign-up page, of a customer's sign-up page, or of a payment link. */
export interface SellingAddress {
  kind: 'sign_up' | 'customer' | 'pay';
  accountId: number;
  /** Id of the page, the customer or the link. */
  id: number;
  token: string;
  /** Path of the page. */
  path: string;
  /** Key of a form whose outcome is shown; null: the page itself. */
  key: string | null;
  /** Whether it is the address that makes tokens of what the gateway's fields took. */
  makesTokens: boolean;
}

/** Parses the path of such a page. Null when it is none. */
export function readSellingAddress(path: string): SellingAddress | null {
  const [, page = '', room, account = '', ofCustomer, id = '', token = '', part = null] = ADDRESS.exec(path) ?? [];
  if (room === undefined || Number(id) > LARGEST_ID || (ofCustomer && room === 'pay')) return null;
  const kind = ofCustomer ? 'customer' : room === 'pay' ? 'pay' : 'sign_up';
  const makesTokens = part === 'tokens';
  return {
    kind,
    accountId: Number(account),
    id: Number(id),
    token,
    path: page,
    key: makesTokens ? null : part,
    makesTokens,
  };
}
