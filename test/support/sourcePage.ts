import { basic, type Client, send, type TestApi } from './api.ts';
import { type SeenPage, visitPage } from './payPage.ts';

/** The page on which a customer adds a payment source, as a visitor uses it. */
export interface SourceVisitor {
  /** Path of the page of a customer. */
  pathOf(customer: number): Promise<string>;
  /** A service token that the fields of the page would make. */
  tokenOf(gatewayToken: string, method?: string): Promise<string>;
  /** The form of the page, filled in. */
  filled(path: string, gatewayToken: string, method?: string): Promise<Record<string, string>>;
  send(path: string, fields: Record<string, string>): Promise<SeenPage>;
  /** Adds a source. Returns the page that tells what became of it. */
  add(path: string, gatewayToken: string, method?: string): Promise<SeenPage>;
}

/** Values of the hidden fields of a page. */
export function inputsOf({ html }: Pick<SeenPage, 'html'>): Record<string, string> {
  const found = html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g);
  return Object.fromEntries([...found].map(([, name = '', value = '']) => [name, value]));
}

/** The texts of a page, without marks of direction. */
export function textOf({ html }: Pick<SeenPage, 'html'>): string {
  const body = html.replace(/<style>[\s\S]*<\/style>/, '').replace(/<[^>]+>/g, ' ');
  return body.replace(/[\u2068\u2069]/g, '').replace(/\s+/g, ' ');
}

export async function sourceVisitor(api: TestApi, client: Client): Promise<SourceVisitor> {
  const publishable = (await client.make('/api_keys', { name: 'Page', kind: 'publishable' })).key;
  const pathOf = async (customer: number) => {
    const found = 'select account_id, token from customer where id = ?';
    const [row] = await api.em.fork().execute<{ account_id: number; token: string }[]>(found, [customer]);
    return `/sources/${row?.account_id}/${customer}/${row?.token}`;
  };
  const tokenOf = async (gateway_token: string, method = 'credit_card') => {
    const request = { method: 'POST', body: { method, gateway_token }, headers: basic(publishable) };
    return (await send(`${client.url}/service_tokens`, request)).body.id;
  };
  const filled = async (path: string, gatewayToken: string, method = 'credit_card') => {
    const inputs = inputsOf(await visitPage(api, `${path}?method=${method}`));
    return { ...inputs, consent: 'yes', service_token: await tokenOf(gatewayToken, method) };
  };
  const sendForm = (path: string, fields: Record<string, string>) =>
    visitPage(api, path, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { 'User-Agent': 'Mozilla/5.0' },
    });
  const add = async (path: string, gatewayToken: string, method?: string) => {
    const { status, location } = await sendForm(path, await filled(path, gatewayToken, method));
    if (status !== 303 || !location) throw new Error(`answered with ${status}`);
    return visitPage(api, location);
  };
  return { pathOf, tokenOf, filled, send: sendForm, add };
}
