import { Refusal } from '../billing/refusal.ts';
import type { ApiRequest } from './route.ts';

/** Which page of a list is asked for, counted from 1. */
export interface Page {
  number: number;
  size: number;
}

const LARGEST_PAGE = 100;
const LAST_PAGE = 100_000_000;

/** `page` and `per_page` of a request; `per_page` outside 1 to 100 is brought inside. */
export function readPage(query: URLSearchParams): Page {
  const size = wholeNumber(query, 'per_page') ?? LARGEST_PAGE;
  const number = wholeNumber(query, 'page') ?? 1;
  return { number: within(number, LAST_PAGE), size: within(size, LARGEST_PAGE) };
}

function wholeNumber(query: URLSearchParams, name: string): number | null {
  const text = query.get(name) ?? '';
  if (text === '') return null;
  if (!/^-?\d{1,15}$/.test(text)) throw new Refusal(`${name} must be a whole number: ${text.slice(0, 64)}`, name);
  return Number(text);
}

function within(value: number, most: number): number {
  return Math.min(Math.max(value, 1), most);
}

/** `Link` and `X-Total-Count` of a page. */
export function pageHeaders(request: ApiRequest, page: Page, total: number): Record<string, string> {
  const last = Math.max(1, Math.ceil(total / page.size));
  const links = [
    link(request, page, { rel: 'self', number: page.number }),
    link(request, page, { rel: 'first', number: 1 }),
    ...(page.number > 1 ? [link(request, page, { rel: 'previous', number: Math.min(page.number - 1, last) })] : []),
    ...(page.number < last ? [link(request, page, { rel: 'next', number: page.number + 1 })] : []),
    link(request, page, { rel: 'last', number: last }),
  ];
  return { Link: links.join(', '), 'X-Total-Count': String(total) };
}

/** URLSearchParams writes commas and semicolons percent-encoded, as a Link header needs them. */
function link(request: ApiRequest, page: Page, to: { rel: string; number: number }): string {
  const query = new URLSearchParams(request.query);
  query.set('page', String(to.number));
  query.set('per_page', String(page.size));
  return `<${request.baseUrl}${encodedPath(request.path)}?${query}>; rel="${to.rel}"`;
}

function encodedPath(path: string): string {
  return path.replaceAll(',', '%2C').replaceAll(';', '%3B');
}
