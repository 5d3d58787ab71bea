// Own code: helmet sets headers of Express answers and cannot give back a policy; content-security-policy-builder checks no source.
import { createHash } from 'node:crypto';

type Directive =
  | 'script-src'
  | 'connect-src'
  | 'frame-src'
  | 'default-src'
  | 'style-src'
  | 'img-src'
  | 'form-action'
  | 'base-uri'
  | 'frame-ancestors'
  | 'sandbox';

/** A valid source of a directive. A comma, semicolon or space would begin another policy, directive or source. */
const SOURCE = /^[\x21-\x2b\x2d-\x3a\x3c-\x7e]+$/;

/** Builds a Content-Security-Policy. Null omits a directive. Throws for a source that could contain another source or directive. */
export function policyOf(directives: Readonly<Partial<Record<Directive, readonly string[] | null>>>): string {
  return Object.entries(directives)
    .flatMap(([name, sources]) => {
      if (sources === null) return [];
      const wrong = sources.find((source) => !SOURCE.test(source));
      if (wrong !== undefined) throw new Error(`not a source of ${name}: ${JSON.stringify(wrong)}`);
      return [[name, ...sources].join(' ')];
    })
    .join('; ');
}

/** Security headers of every response. A page replaces the policy, and the `Referrer-Policy` if the server checks its forms. */
export function answerHeaders({ isSecure }: { isSecure: boolean }): Record<string, string> {
  const headers = {
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
    'Content-Security-Policy': policyOf({ 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] }),
  };
  return isSecure ? { ...headers, 'Strict-Transport-Security': `max-age=${YEAR_SECONDS}` } : headers;
}

const YEAR_SECONDS = 31_536_000;

/** Policy for uploaded files. Browsers must download them; in one that shows a file nevertheless, the file may do nothing. */
export const FILE_POLICY = policyOf({ sandbox: [], 'default-src': ["'none'"] });

export interface PageSources {
  /** The style sheet inside the page. Null: the page loads one from this origin. */
  css: string | null;
  /** Whether pictures are embedded in the page. */
  hasPictures: boolean;
  /** URLs outside this origin to which forms lead: redirect URIs of OAuth applications. */
  formTargets: readonly string[];
  /** The script of the page and the origins that it needs; null: it runs none. */
  script: PageScript | null;
}

/** The only script of a page. */
export interface PageScript {
  /** Its URL. */
  src: string;
  /** Origins of a gateway's own script, of its frames, and of its requests. */
  gateway: { scripts: readonly string[]; frames: readonly string[]; requests: readonly string[] };
}

/** The policy of a page: its own script if it has one, and nothing from other origins but what the fields of a gateway need. */
export function pagePolicy({ css, hasPictures, formTargets, script }: PageSources): string {
  const targets = formTargets.map(sourceOf).filter((source) => SOURCE.test(source) && !source.includes('*'));
  return policyOf({
    'default-src': ["'none'"],
    'style-src': [css === null ? "'self'" : hashOf(css)],
    'img-src': hasPictures ? ['data:'] : null,
    'script-src': script && [script.src, ...script.gateway.scripts],
    'connect-src': script && ["'self'", ...script.gateway.requests],
    'frame-src': script && script.gateway.frames.length > 0 ? script.gateway.frames : null,
    'form-action': ["'self'", ...targets],
    'base-uri': ["'none'"],
    'frame-ancestors': ["'none'"],
  });
}

/**
 * The policy of HTML that is only shown. Null: its styles are in its elements, as in mails, whose pictures may be at other origins. As an
 * element of the page it cannot have the directive `frame-ancestors`.
 */
export function inactivePolicy(css: string | null): string {
  return policyOf({
    'default-src': ["'none'"],
    'style-src': [css === null ? "'unsafe-inline'" : hashOf(css)],
    'img-src': css === null ? ['data:', 'https:'] : ['data:'],
    'form-action': ["'none'"],
    'base-uri': ["'none'"],
  });
}

/** The policy of the dashboard: its own files, style elements that carry the nonce, and on one page what the fields of gateways need. */
export function dashboardPolicy(nonce: string, gateway: PageScript['gateway'] | null): string {
  return policyOf({
    'default-src': ["'none'"],
    'script-src': ["'self'", ...(gateway?.scripts ?? [])],
    'style-src': ["'self'", `'nonce-${nonce}'`],
    'connect-src': ["'self'", ...(gateway?.requests ?? [])],
    'frame-src': gateway?.frames ?? null,
    'img-src': ["'self'", 'data:'],
    'form-action': ["'self'"],
    'base-uri': ["'none'"],
    'frame-ancestors': ["'none'"],
  });
}

function hashOf(css: string): string {
  return `'sha256-${createHash('sha256').update(css).digest('base64')}'`;
}

/** The CSP source of a URI: its origin, or its scheme if that belongs to an app. */
export function sourceOf(uri: string): string {
  const { origin, protocol } = new URL(uri);
  return origin === 'null' ? protocol : origin;
}
