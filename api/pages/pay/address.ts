import { type Address, readAddress } from '../hosted/address.ts';

const ADDRESS =
  /^(\/documents\/\d{1,9}\/(?:invoice|estimate)\/\d{1,10}\/[0-9a-f]{32})\/(pay|pay\/tokens|payments\/([0-9a-f-]{36}))$/;

/** The address of the page that pays an invoice or a deposit, or of the page that shows one of its payments. */
export interface PayAddress {
  /** The page of the invoice or estimate itself. */
  document: Address;
  /** Key of the shown payment; null: the page that pays, or its tokens. */
  key: string | null;
  isTokens: boolean;
}

/** Parses the path of a page about paying. Null when it is none. */
export function readPayAddress(path: string): PayAddress | null {
  const [, page = '', part, key = null] = ADDRESS.exec(path) ?? [];
  const document = readAddress(page);
  return document && { document, key, isTokens: part === 'pay/tokens' };
}

/** The paths of the pages about paying a document. */
export function payPaths({ path }: Address) {
  return { document: path, pay: `${path}/pay`, payment: (key: string) => `${path}/payments/${key}` };
}
