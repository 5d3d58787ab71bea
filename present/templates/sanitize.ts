import sanitizeHtml from 'sanitize-html';

/** Values of styles: without functions other than colours, so that no style loads or runs anything. */
const PLAIN_VALUE = /^(?:[\w\s.,%#!'"+-]|rgba?\([\d\s.,%]+\))*$/;

const STYLES =
  'background background-color border border-bottom border-collapse border-color border-left border-radius border-right border-spacing border-style border-top border-width color direction display font font-family font-size font-style font-weight height letter-spacing line-height list-style-type margin margin-bottom margin-left margin-right margin-top max-width min-width padding padding-bottom padding-left padding-right padding-top text-align text-decoration text-transform vertical-align white-space width word-break'.split(
    ' ',
  );

const TAGS =
  'a abbr b big blockquote br caption center code col colgroup dd del div dl dt em font h1 h2 h3 h4 h5 h6 hr i img ins li ol p pre q s small span strike strong sub sup table tbody td tfoot th thead tr u ul'.split(
    ' ',
  );

const ATTRIBUTES =
  'align alt bgcolor border cellpadding cellspacing color colspan dir face height lang role rowspan size style title valign width'.split(
    ' ',
  );

/** Schemes of links. A deployment without TLS has links without it, too. */
const schemesOf = (origin: string): string[] => ['https', 'mailto', ...(origin.startsWith('http:') ? ['http'] : [])];

/** HTML of which only text, tables, pictures and links are left. `origin`: that of the deployment. */
export function sanitized(html: string, origin: string): string {
  return sanitizeHtml(html, {
    allowedTags: TAGS,
    allowedAttributes: { '*': ATTRIBUTES, a: ['href'], img: ['src'] },
    allowedStyles: { '*': Object.fromEntries(STYLES.map((name) => [name, [PLAIN_VALUE]])) },
    allowedSchemes: schemesOf(origin),
    allowedSchemesByTag: { img: ['https'] },
    allowProtocolRelative: false,
    enforceHtmlBoundary: false,
  });
}

/** A scheme at the beginning of a written address. A variable there is checked when the mail is rendered. */
const SCHEME = /^\s*([a-z][a-z0-9+.-]*):/i;

/** A part of HTML that mails must not have: its name, and how it is written. */
export interface Forbidden {
  what: string;
  written: string;
}

/** The first part of HTML that mails must not have; null: there is none. */
export function forbiddenIn(html: string, origin: string): Forbidden | null {
  const found: Forbidden[] = [];
  sanitizeHtml(html, {
    allowedTags: false,
    allowedAttributes: false,
    allowVulnerableTags: true,
    onOpenTag: (name, attributes) => {
      if (!TAGS.includes(name)) found.push({ what: `<${name.slice(0, 50)}>`, written: `<${name}` });
      for (const [attribute, value] of Object.entries(attributes)) {
        const scheme = SCHEME.exec(value)?.[1]?.toLowerCase();
        const isAddress = attribute === 'href' || attribute === 'src';
        if (attribute.startsWith('on')) found.push({ what: attribute.slice(0, 50), written: attribute });
        else if (isAddress && scheme && !schemesOf(origin).includes(scheme))
          found.push({ what: `addresses with ${scheme.slice(0, 50)}:`, written: value });
      }
    },
  });
  return found[0] ?? null;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' };

/** The text of sanitized HTML: blocks are lines, cells are set apart, links are followed by their address. */
export function plainTextOf(html: string): string {
  const lines = html
    .replace(/\s+/g, ' ')
    .replace(/<a [^>]*?href="([^"]*)"[^>]*>(.*?)<\/a>/g, '$2 ($1)')
    .replace(/<br ?\/?>|<\/(?:p|div|tr|li|h[1-6]|table|blockquote|dt|dd)>/g, '\n')
    .replace(/<\/t[dh]>/g, '  ')
    .replace(/<[^>]*>/g, '')
    .replace(/&(amp|lt|gt|quot|nbsp);/g, (written, name: string) => ENTITIES[name] ?? written);
  return lines
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
