import type { Incoming } from './send.ts';

/** One page of a list. */
export interface Page<Item> {
  items: Item[];
  /** How many there are on all pages. */
  total: number;
}

/**
 * The query of the next page; null on the last. Only the query of the link is followed: the next request goes to the same path under
 * the base URL that the client was given, whatever name the API calls itself.
 */
export function nextQuery(headers: Headers): string | null {
  for (const [, target = '', rel] of (headers.get('Link') ?? '').matchAll(/<([^>]*)>\s*;\s*rel="([^"]*)"/g)) {
    if (rel === 'next') return new URL(target, 'http://localhost').search.slice(1);
  }
  return null;
}

/** Pages from a first query on, each fetched when it is asked for. */
export async function* pagesFrom<Item>(fetchPage: (query: string) => Promise<Incoming>, first: string) {
  for (let query: string | null = first; query !== null; ) {
    const { headers, text } = await fetchPage(query);
    const items: Item[] = JSON.parse(text);
    const page: Page<Item> = { items, total: Number(headers.get('X-Total-Count')) };
    yield page;
    query = nextQuery(headers);
  }
}
