/**
 * Whether a page of another site sent a request with Basic credentials. Browsers attach credentials that were entered once to requests of any
 * page. Bearer tokens are not checked: browsers never attach them by themselves. `header` reads a header, `own` is the product's origin.
 */
export function isForeignBasic(header: (name: string) => string, own: string): boolean {
  return isBasic(header('Authorization')) && isForeign(header('Sec-Fetch-Site'), header('Origin'), own);
}

function isBasic(authorization: string): boolean {
  return /^\s*basic(\s|$)/i.test(authorization);
}

/** Whether a page of another site sent the request. Programs send neither header. `same-origin` is trusted under any host name. */
function isForeign(site: string, origin: string, own: string): boolean {
  if (site === 'same-origin') return false;
  return site === 'cross-site' || (origin !== '' && origin !== own);
}
