import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler';
import { hasTooManyPixels, readPicture } from '../../billing/picture.ts';
import type { PrintedDocument } from '../../commands/ports.ts';
import { DOCUMENT_PATH, LOGO_PATHS, templateInput } from './words.ts';

const templates = fileURLToPath(new URL('.', import.meta.url));

/** What documents are set in, in the order in which a letter is looked for; `parts.typ` names the families. */
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

/** For how many documents a part that was set is kept: what one says as those before it did, such as who sells, is not set again. */
const KEPT_FOR = 5;

/** Sets documents, one after another, each of them all at once: whoever calls waits. */
export function createTypst(): (document: PrintedDocument) => Uint8Array {
  const compiler = NodeCompiler.create({ workspace: templates, fontArgs: [{ fontPaths: fontFolders() }] });
  return (document) => {
    const checked = { ...document, logo: decodable(document.logo) };
    try {
      return typeset(compiler, checked);
    } catch (error) {
      // A picture that Typst cannot read keeps nobody from a document.
      if (checked.logo === null) throw error;
      return typeset(compiler, { ...checked, logo: null });
    } finally {
      compiler.resetShadow();
      compiler.evictCache(KEPT_FOR);
    }
  };
}

/** A picture is decoded whole, however little of it is shown: one with too many pixels is left out. */
function decodable(logo: PrintedDocument['logo']): PrintedDocument['logo'] {
  const picture = logo && readPicture(Buffer.from(logo.base64, 'base64'));
  return picture && !hasTooManyPixels(picture) ? logo : null;
}

function typeset(compiler: NodeCompiler, document: PrintedDocument): Uint8Array {
  const { logo } = document;
  const put = (path: string, bytes: Buffer) => compiler.mapShadow(join(templates, path), bytes);
  if (logo) put(LOGO_PATHS[logo.type], Buffer.from(logo.base64, 'base64'));
  // As a file: inputs are part of what every part of the template depends on, and none would be used again.
  put(DOCUMENT_PATH, Buffer.from(templateInput(document)));
  const compiled = compiler.compile({ mainFilePath: join(templates, 'document.typ') });
  const { result } = compiled;
  if (!result) throw new Error(`Typst: ${JSON.stringify(compiled.takeDiagnostics()?.shortDiagnostics ?? null)}`);
  return compiler.pdf(result);
}
