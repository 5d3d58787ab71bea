import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NodeCompiler, type NodeTypstDocument } from '@myriaddreamin/typst-ts-node-compiler';
import { hasTooManyPixels, readPicture } from '../../billing/look/picture.ts';
import type { PrintedDocument } from '../../commands/ports/ports.ts';
import { withFacturX } from './facturX.ts';
import { LOOK_PATH, lookInput } from './look.ts';
import type { Paper, Task } from './renderer.ts';
import { DOCUMENT_PATH, E_INVOICE_PATH, LOGO_PATHS, templateInput } from './words.ts';

const templates = fileURLToPath(new URL('.', import.meta.url));

/** Fonts of documents, with the weights that are loaded. `parts.typ` names the families in the order in which glyphs are looked up. */
const fonts: Readonly<Record<string, readonly string[]>> = {
  inter: ['400Regular', '500Medium', '600SemiBold', '700Bold'],
  'ibm-plex-sans-arabic': ['400Regular', '600SemiBold'],
  'noto-sans-hebrew': ['400Regular', '600SemiBold'],
  'zen-kaku-gothic-new': ['400Regular', '700Bold'],
  'noto-sans-sc': ['400Regular', '600SemiBold'],
  'nanum-gothic': ['400Regular', '700Bold'],
  'noto-sans-thai': ['400Regular', '600SemiBold'],
  'noto-sans-devanagari': ['400Regular', '600SemiBold'],
};

function fontFolders(): string[] {
  const { resolve } = createRequire(import.meta.url);
  return Object.entries(fonts).flatMap(([family, weights]) => {
    const folder = dirname(resolve(`@expo-google-fonts/${family}/package.json`));
    return weights.map((weight) => join(folder, weight));
  });
}

/** Number of documents for which Typst caches rendered parts. Parts that stay the same, such as the seller, are not rendered again. */
const KEPT_FOR = 5;

/** The largest picture that is drawn: its pages, and its SVG in bytes. A document of 1,000 short lines has about 6.4 MB. */
export const PICTURE_LIMITS = { pages: 60, bytes: 12_000_000 };

/**
 * Returns a function that typesets a document, synchronously. It throws for a document that Typst cannot compile. The paper of a picture
 * beyond the limits is empty.
 */
export function createTypst(limits = PICTURE_LIMITS): (task: Task) => Paper {
  const compiler = NodeCompiler.create({ workspace: templates, fontArgs: [{ fontPaths: fontFolders() }] });
  const typeset = (document: PrintedDocument, as: Task['as']): Paper => {
    const compiled = compile(compiler, document);
    if (as === 'svg') return drawn(compiler, compiled, limits);
    return {
      bytes: document.eInvoice ? archived(compiler, compiled) : compiler.pdf(compiled),
      pages: compiled.numOfPages,
    };
  };
  return ({ document, as }) => {
    const checked = { ...document, logo: decodable(document.logo) };
    try {
      if (checked.logo === null) return typeset(checked, as);
      try {
        return typeset(checked, as);
      } catch {
        return typeset({ ...checked, logo: null }, as); // Typst cannot read every picture
      }
    } finally {
      compiler.resetShadow();
      compiler.evictCache(KEPT_FOR);
    }
  };
}

/** The logo, or null if it has too many pixels. A picture is decoded completely, even if it is shown small. */
function decodable(logo: PrintedDocument['logo']): PrintedDocument['logo'] {
  const picture = logo && readPicture(Buffer.from(logo.base64, 'base64'));
  return picture && !hasTooManyPixels(picture) ? logo : null;
}

function compile(compiler: NodeCompiler, document: PrintedDocument): NodeTypstDocument {
  const { logo, eInvoice } = document;
  const put = (path: string, bytes: Buffer) => compiler.mapShadow(join(templates, path), bytes);
  if (logo) put(LOGO_PATHS[logo.type], Buffer.from(logo.base64, 'base64'));
  // The document is a file and not an input of the compiler. All parts of a template depend on inputs, so no part could be cached.
  if (eInvoice) put(E_INVOICE_PATH, Buffer.from(eInvoice));
  put(LOOK_PATH, Buffer.from(lookInput(document)));
  put(DOCUMENT_PATH, Buffer.from(templateInput(document)));
  const compiled = compiler.compile({ mainFilePath: join(templates, 'document.typ') });
  const { result } = compiled;
  if (!result) throw new Error(`Typst: ${JSON.stringify(compiled.takeDiagnostics()?.shortDiagnostics ?? null)}`);
  return result;
}

/** All pages as one SVG. Empty: it is beyond the limits. */
function drawn(compiler: NodeCompiler, compiled: NodeTypstDocument, limits: typeof PICTURE_LIMITS): Paper {
  const pages = compiled.numOfPages;
  const bytes = Buffer.from(pages > limits.pages ? '' : compiler.plainSvg(compiled));
  return { bytes: bytes.length > limits.bytes ? Buffer.of() : bytes, pages };
}

/** PDF/A-3 with Factur-X. PDF/A does not allow every text: a document with a letter that no font has becomes plain PDF. */
function archived(compiler: NodeCompiler, compiled: NodeTypstDocument): Uint8Array {
  const bytes = pdfA3(compiler, compiled);
  return bytes ? withFacturX(bytes) : compiler.pdf(compiled);
}

/** Null: PDF/A-3 does not allow a text of the document. */
function pdfA3(compiler: NodeCompiler, compiled: NodeTypstDocument): Buffer | null {
  try {
    return compiler.pdf(compiled, { pdfStandard: 'a-3b' });
  } catch {
    return null;
  }
}
