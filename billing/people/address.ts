const LONGEST = 255;
/** Letters, digits and signs that no other letter looks like. */
const LOCAL = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const NO_DOMAIN = /[\s@,;:<>"/\\?#%[\]()]/;
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/;

/**
 * An email address as people are found by it: in lower case, its domain in ASCII (`xn--…`), so that two addresses that merely look alike
 * differ visibly. Null: it is no address, or has other letters before the @.
 */
export function personAddress(text: string): string | null {
  const [local = '', domain = '', ...more] = text.trim().toLowerCase().split('@');
  if (more.length > 0 || !LOCAL.test(local) || NO_DOMAIN.test(domain)) return null;
  const ascii = asciiDomain(domain);
  const address = `${local}@${ascii}`;
  return DOMAIN.test(ascii) && address.length <= LONGEST ? address : null;
}

/** A domain in ASCII; empty: it is none. */
function asciiDomain(domain: string): string {
  return URL.canParse(`http://${domain}`) ? new URL(`http://${domain}`).hostname : '';
}
