import type { Client, TestApi } from './api.ts';

/** A page as a visitor sees it. */
export interface SeenPage {
  status: number;
  headers: Headers;
  html: string;
  /** Path of the page that the answer leads to; null: it leads nowhere. */
  location: string | null;
}

let visits = 0;

/** An address that no visit had before, so that no visitor exceeds the limit. */
function nextAddress(): string {
  visits += 1;
  return `10.${visits >> 16}.${(visits >> 8) & 255}.${visits & 255}`;
}

/** An API whose pages are visited. */
export type Visited = Pick<TestApi, 'origin'> & { deps: Pick<TestApi['deps'], 'publicUrl'> };

/** Visits pages of an API without following redirects. Each visit comes from another address, unless it says otherwise. */
export async function visitPage(api: Visited, url: string, init: RequestInit = {}): Promise<SeenPage> {
  const address = url.startsWith('/') ? `${api.origin}${url}` : url.replace(api.deps.publicUrl, api.origin);
  const headers = { 'X-Forwarded-For': nextAddress(), ...init.headers };
  const answer = await fetch(address, { redirect: 'manual', ...init, headers });
  const location = answer.headers.get('Location');
  return { status: answer.status, headers: answer.headers, html: await answer.text(), location };
}

/** The values of the form on a pay page. */
export function formOn({ html }: Pick<SeenPage, 'html'>): Record<string, string> {
  const [, content = ''] = /<form [^>]*class="pay"[^>]*>([\s\S]*?)<\/form>/.exec(html) ?? [];
  const inputs = [...content.matchAll(/<input ([^>]*)>/g)].map(([, text = '']) => text);
  const attribute = (text: string, name: string) => new RegExp(`(?:^| )${name}="([^"]*)"`).exec(text)?.[1] ?? '';
  const isLeft = (text: string) =>
    attribute(text, 'type') === 'checkbox' || (attribute(text, 'type') === 'radio' && !/ checked(?: |$)/.test(text));
  const sent = inputs.filter((text) => !isLeft(text) && attribute(text, 'name') !== '');
  return Object.fromEntries(sent.map((text) => [attribute(text, 'name'), attribute(text, 'value')]));
}

/** Sends the form of a pay page. */
export function sendForm(api: Visited, url: string, fields: Record<string, string>): Promise<SeenPage> {
  return visitPage(api, url, { method: 'POST', body: new URLSearchParams(fields) });
}

/** Tokens of cards of the test gateway, by what they do. */
export const cardTokens = {
  good: 'tok_4242424242424242',
  soft: 'tok_4000000000000069',
  hard: 'tok_4000000000000002',
  authentication: 'tok_4000000000003220',
  silent: 'tok_4000000000000119',
} as const;

/** A service token of a card or bank account of the test gateway. */
export async function serviceToken(by: Client, token: string): Promise<string> {
  const method = /^tok_\d+_\d+$/.test(token) ? 'ach' : 'credit_card';
  return (await by.make('/service_tokens', { method, gateway_token: token })).id;
}

/** Opens a pay page and sends its form with a card or bank account. `fields` replaces fields of the form. */
export async function payOn(
  api: TestApi,
  url: string,
  { card, by = api.sandbox, fields = {} }: { card: string; by?: Client; fields?: Record<string, string> },
): Promise<SeenPage> {
  const form = formOn(await visitPage(api, url));
  const chosen = fields.choice === 'other' ? undefined : fields.choice;
  const shown_amount = chosen ?? fields.amount ?? form.shown_amount ?? '';
  return sendForm(api, url, { ...form, shown_amount, service_token: await serviceToken(by, card), ...fields });
}

/** Gives an invoice a payment plan of three installments in the spring of 2027: 100, 100 and the rest. Returns the plan. */
export async function planFor(
  by: Client,
  { id, balance }: { id: number; balance: number },
  more: object = {},
): Promise<{ approval_url: string }> {
  const date = (month: string) => Date.parse(`2027-${month}-01T00:00:00Z`) / 1000;
  const installments = [
    { date: date('04'), amount: 100 },
    { date: date('05'), amount: 100 },
    { date: date('06'), amount: balance - 200 },
  ];
  return (await by.request('PUT', `/invoices/${id}/payment_plan`, { installments, ...more })).body;
}

/** Approves an estimate on its page. */
export async function approveOn(api: Visited, url: string): Promise<SeenPage> {
  const [, seen = ''] = /name="seen" value="(\w+)"/.exec((await visitPage(api, url)).html) ?? [];
  return sendForm(api, `${url}/answer`, { seen, answer: 'approve', initials: 'AM' });
}

/** Creates an estimate that asks for a deposit, and approves it on its page. Returns it as the API then shows it. */
export async function approvedEstimate(api: TestApi, body: object, by: Client = api.sandbox) {
  const { id, url } = await by.make('/estimates', body);
  await approveOn(api, url);
  return (await by.get(`/estimates/${id}`)).body;
}
