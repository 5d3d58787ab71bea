import type { Incoming } from './send.ts';

/** One page of a list. */
export interface Page<Item> {
  items: Item[];
  /** Number of elements on all pages. */
  total: number;
}

/**
 * The query of the next page, from the Link header. Null on the last page. The host and path of the link are not used: the next request goes
 * to the same path under the client's base URL.
 */
export function nextQuery(headers: Headers): string | null {
  for (const [, target = '', rel] of (headers.get('Link') ?? '').matchAll(/<([^>]*)>\s*;\s*rel="([^"]*)"/g)) {
    if (rel === 'next') return new URL(target, 'http://localhost').search.slice(1);
  }
  return null;
}

/** Yields the page of the first query and all later pages. Each page is fetched when it is needed. */
export async function* pagesFrom<Item>(fetchPage: (query: string) => Promise<Incoming>, first: string) {
  for (let query: string | null = first; query !== null; ) {
    const { headers, text } = await fetchPage(query);
    const items: Item[] = JSON.parse(text);
    const page: Page<Item> = { items, total: Number(headers.get('X-Total-Count')) };
    yield page;
    query = nextQuery(headers);
  }
}
