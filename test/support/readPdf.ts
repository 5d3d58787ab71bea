import { getDocumentProxy } from 'unpdf';

/** The parts of a PDF that a reader sees or saves. */
export interface ReadPdf {
  /** The text of all pages, a line of the PDF a line, with ordinary spaces. */
  text: string;
  /** The text of each page. */
  pages: string[];
  /** Width and height of the first page in points. */
  size: [number, number];
  /** The attached files by name. */
  files: Map<string, Uint8Array>;
  /** The XMP metadata as XML; null: there is none. */
  xmp: string | null;
}

/** Reads a PDF without rendering it. */
export async function readPdf(bytes: Uint8Array): Promise<ReadPdf> {
  const pdf = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 });
  try {
    const pages = await Promise.all(Array.from({ length: pdf.numPages }, (_, index) => pdf.getPage(index + 1)));
    const contents = await Promise.all(pages.map((page) => page.getTextContent()));
    const texts = contents.map(({ items: all }) => {
      const items = all.flatMap((item) => ('str' in item ? [item] : []));
      return items
        .map(({ str, hasEOL }) => (hasEOL ? `${str}\n` : str))
        .join('')
        .replaceAll('\u00a0', ' ');
    });
    const [left = 0, bottom = 0, right = 0, top = 0] = pages[0]?.view ?? [];
    const attached = [...((await pdf.getAttachments()) ?? [])];
    const files = attached.map(async ([id, { filename }]): Promise<[string, Uint8Array]> => {
      return [filename, (await pdf.getAttachmentContent(id)) ?? new Uint8Array()];
    });
    const { metadata } = await pdf.getMetadata();
    return {
      text: texts.join(''),
      pages: texts,
      size: [right - left, top - bottom],
      files: new Map(await Promise.all(files)),
      xmp: metadata?.getRaw() ?? null,
    };
  } finally {
    await pdf.loadingTask.destroy();
  }
}
