// Own code: helmet sets headers of Express answers and cannot give back a policy; content-security-policy-builder checks no source.
import { createHash } from 'node:crypto';

type Directive = 'default-src' | 'style-src' | 'img-src' | 'form-action' | 'base-uri' | 'frame-ancestors' | 'sandbox';

/** A source of a directive. A comma, semicolon or space would begin another source, directive or policy. */
const SOURCE = /^[\x21-\x2b\x2d-\x3a\x3c-\x7e]+$/;

/** A Content-Security-Policy; null leaves a directive out. Throws for a source that could hold more than itself. */
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

/** Security headers of every answer. A page replaces its policy, and its `Referrer-Policy` if it has forms. */
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

/** Browsers must download an uploaded file, not show it. If one shows it nevertheless, the file may do nothing. */
export const FILE_POLICY = policyOf({ sandbox: [], 'default-src': ["'none'"] });

export interface PageSources {
  /** The page's own style sheet; null: it loads the one at this origin. */
  css: string | null;
  /** Whether pictures are embedded in the page. */
  hasPictures: boolean;
  /** Where forms lead besides this origin: redirect URIs of applications. */
  formTargets: readonly string[];
}

/** The policy of a page: no script, no frame, nothing from elsewhere. */
export function pagePolicy({ css, hasPictures, formTargets }: PageSources): string {
  const targets = formTargets.map(sourceOf).filter((source) => SOURCE.test(source) && !source.includes('*'));
  return policyOf({
    'default-src': ["'none'"],
    'style-src': [css === null ? "'self'" : `'sha256-${createHash('sha256').update(css).digest('base64')}'`],
    'img-src': hasPictures ? ['data:'] : null,
    'form-action': ["'self'", ...targets],
    'base-uri': ["'none'"],
    'frame-ancestors': ["'none'"],
  });
}

/** The source of an address: its origin, or the scheme of an app. */
export function sourceOf(uri: string): string {
  const { origin, protocol } = new URL(uri);
  return origin === 'null' ? protocol : origin;
}
