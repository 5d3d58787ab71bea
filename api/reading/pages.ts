import { cut, Refusal } from '../../billing/refusal.ts';
import type { ApiRequest } from '../framework/apiRequest.ts';
import { type Cursor, writeCursor } from './cursor.ts';

/** The requested page of a list, counted from 1. */
export interface Page {
  number: number;
  size: number;
}

const LARGEST_PAGE = 100;
const LAST_PAGE = 100_000_000;

/** Reads `page` and `per_page`. Values outside their bounds are clamped; `per_page` to 1 to 100. */
export function readPage(query: URLSearchParams): Page {
  const size = wholeNumber(query, 'per_page') ?? LARGEST_PAGE;
  const number = wholeNumber(query, 'page') ?? 1;
  return { number: within(number, LAST_PAGE), size: within(size, LARGEST_PAGE) };
}

function wholeNumber(query: URLSearchParams, name: string): number | null {
  const text = query.get(name) ?? '';
  if (text === '') return null;
  if (!/^-?\d{1,15}$/.test(text))
    throw new Refusal('parameter_invalid', `${name} must be a whole number: ${cut(text)}`, name);
  return Number(text);
}

function within(value: number, most: number): number {
  return Math.min(Math.max(value, 1), most);
}

/** A page with the list's total and the neighbouring pages. */
export interface PageRead extends Page {
  total: number;
  /** Order of the list, as text for its cursors. */
  order: string;
  /** Cursors of the neighbouring pages; null when there is none, or when only the page's number is known. */
  previous: Cursor | null;
  next: Cursor | null;
}

/**
 * Clients and proxies accept at most 16 KiB of headers. Each of up to five links repeats the whole query, so a long query is refused. If
 * cursors with long texts make the links too long, the links have only page numbers.
 */
const LONGEST_QUERY = 2400;
const LONGEST_LINKS = 14_000;

/** Throws a Refusal for a query that is too long to repeat in links. */
export function refuseLong(query: URLSearchParams): void {
  const repeated = new URLSearchParams(query);
  repeated.delete('cursor');
  if (repeated.toString().length > LONGEST_QUERY)
    throw new Refusal(
      'parameter_invalid',
      `The query of a list may have at most ${LONGEST_QUERY} characters, percent-encoded`,
    );
}

/** Headers `Link` and `X-Total-Count` of a page. Links have cursors, so that rows that are added or deleted meanwhile do not shift pages. */
export function pageHeaders(request: ApiRequest, page: PageRead): Record<string, string> {
  const links = linksOf(request, page);
  const short = links.length > LONGEST_LINKS ? linksOf(request, page, () => null) : links;
  return { Link: short, 'X-Total-Count': String(page.total) };
}

type WriteCursor = (order: string, place: Cursor) => string | null;

function linksOf(request: ApiRequest, page: PageRead, write: WriteCursor = writeCursor): string {
  const { number, size, total, order } = page;
  const last = Math.max(1, Math.ceil(total / size));
  const cursor = (place: Cursor | null) => (place === null ? null : write(order, place));
  const own = write === writeCursor ? request.query.get('cursor') : null;
  const links = [
    link(request, page, { rel: 'self', number, cursor: own }),
    link(request, page, { rel: 'first', number: 1, cursor: null }),
    ...(number > 1 ? [link(request, page, previousOf(page, last, cursor(page.previous)))] : []),
    ...(page.next ? [link(request, page, { rel: 'next', number: number + 1, cursor: cursor(page.next) })] : []),
    link(request, page, { rel: 'last', number: last, cursor: last > 1 ? cursor(fromEnd(page, last)) : null }),
  ];
  return links.join(', ');
}

function previousOf({ number }: Page, last: number, cursor: string | null) {
  const isBeyond = number - 1 > last;
  const known = number > 2 && !isBeyond ? cursor : null;
  return { rel: 'previous', number: isBeyond ? last : number - 1, cursor: known };
}

function fromEnd({ size, total }: PageRead, last: number): Cursor {
  return { fromEnd: total - (last - 1) * size };
}

/** One link. URLSearchParams percent-encodes commas and semicolons, as the Link header requires. */
function link(request: ApiRequest, page: Page, to: { rel: string; number: number; cursor: string | null }): string {
  const query = new URLSearchParams(request.query);
  query.set('page', String(to.number));
  query.set('per_page', String(page.size));
  query.delete('cursor');
  if (to.cursor) query.set('cursor', to.cursor);
  return `<${request.baseUrl}${encodedPath(request.path)}?${query}>; rel="${to.rel}"`;
}

function encodedPath(path: string): string {
  return path.replaceAll(',', '%2C').replaceAll(';', '%3B');
}
