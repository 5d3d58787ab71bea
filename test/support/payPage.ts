import type { TestApi } from './api.ts';

/** A page as a visitor sees it. */
export interface SeenPage {
  status: number;
  headers: Headers;
  html: string;
  /** Path of the page that the answer leads to; null: it leads nowhere. */
  location: string | null;
}

/** Visits pages of an API without following redirects. */
export async function visitPage(api: TestApi, url: string, init: RequestInit = {}): Promise<SeenPage> {
  const address = url.startsWith('/') ? `${api.origin}${url}` : url.replace(api.deps.publicUrl, api.origin);
  const answer = await fetch(address, { redirect: 'manual', ...init });
  const location = answer.headers.get('Location');
  return { status: answer.status, headers: answer.headers, html: await answer.text(), location };
}

/** The values of the form on a pay page. */
export function formOn({ html }: SeenPage): Record<string, string> {
  const [, content = ''] = /<form [^>]*class="pay"[^>]*>([\s\S]*?)<\/form>/.exec(html) ?? [];
  const inputs = [...content.matchAll(/<input ([^>]*)>/g)].map(([, text = '']) => text);
  const attribute = (text: string, name: string) => new RegExp(`(?:^| )${name}="([^"]*)"`).exec(text)?.[1] ?? '';
  const sent = inputs.filter((text) => attribute(text, 'type') !== 'checkbox' && attribute(text, 'name') !== '');
  return Object.fromEntries(sent.map((text) => [attribute(text, 'name'), attribute(text, 'value')]));
}

/** Sends the form of a pay page. */
export function sendForm(api: TestApi, url: string, fields: Record<string, string>): Promise<SeenPage> {
  return visitPage(api, url, { method: 'POST', body: new URLSearchParams(fields) });
}
