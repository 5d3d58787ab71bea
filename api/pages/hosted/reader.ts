import type { IncomingHttpHeaders } from 'node:http';

/** User agents of programs that fetch links although nobody reads the page: previews, search, mail scanners, monitoring, libraries. */
const PROGRAMS =
  /bot|crawl|spider|slurp|preview|scan|monitor|fetch|headless|lighthouse|facebookexternalhit|whatsapp|skypeuripreview|embedly|curl|wget|python|java\/|okhttp|axios|go-http|ruby|perl|libwww|node|undici/i;

/** Whether a person probably reads the page: a browser shows it and does not just prefetch it. */
export function isProbablyPerson(method: string, headers: IncomingHttpHeaders): boolean {
  if (method !== 'GET') return false;
  const agent = headers['user-agent'] ?? '';
  if (!agent.startsWith('Mozilla/') || PROGRAMS.test(agent)) return false;
  const purpose = `${headers.purpose ?? ''} ${headers['sec-purpose'] ?? ''} ${headers['x-moz'] ?? ''}`;
  if (/prefetch|prerender|preview/i.test(purpose)) return false;
  const target = headers['sec-fetch-dest'];
  return target === undefined || target === 'document';
}
