import type { IncomingHttpHeaders } from 'node:http';

/** Programs that follow links without anybody reading: previews, search, checks of mail, monitoring, libraries. */
const PROGRAMS =
  /bot|crawl|spider|slurp|preview|scan|monitor|fetch|headless|lighthouse|facebookexternalhit|whatsapp|skypeuripreview|embedly|curl|wget|python|java\/|okhttp|axios|go-http|ruby|perl|libwww|node|undici/i;

/**
 * Whether somebody reads what a request asks for, as far as one can tell: it comes from a browser, which shows the page to its user,
 * and does not fetch it ahead in case it is wanted.
 */
export function isRead(method: string, headers: IncomingHttpHeaders): boolean {
  if (method !== 'GET') return false;
  const agent = headers['user-agent'] ?? '';
  if (!agent.startsWith('Mozilla/') || PROGRAMS.test(agent)) return false;
  const purpose = `${headers.purpose ?? ''} ${headers['sec-purpose'] ?? ''} ${headers['x-moz'] ?? ''}`;
  if (/prefetch|prerender|preview/i.test(purpose)) return false;
  const target = headers['sec-fetch-dest'];
  return target === undefined || target === 'document';
}
