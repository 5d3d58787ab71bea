export interface Picture {
  type: 'image/png' | 'image/jpeg';
  width: number;
  height: number;
}

/** More than a logo has at 600 dots per inch, and decoded within half a second and 64 MB, however few bytes it is packed into. */
export const MOST_PIXELS = 4_000_000;

export function hasTooManyPixels({ width, height }: Picture): boolean {
  return width * height > MOST_PIXELS;
}

/** What the head of a PNG or JPEG says of it; nothing is decoded. Null: it is neither, or has no size. */
export function readPicture(bytes: Uint8Array): Picture | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const picture = readPng(view) ?? readJpeg(view);
  return picture && picture.width > 0 && picture.height > 0 ? picture : null;
}

const PNG_SIGNATURE = 0x89504e470d0a1a0an;
const PNG_IHDR = 0x49484452;
const PNG_HEAD = 24;

function readPng(view: DataView): Picture | null {
  const isPng =
    view.byteLength >= PNG_HEAD && view.getBigUint64(0) === PNG_SIGNATURE && view.getUint32(12) === PNG_IHDR;
  if (!isPng) return null;
  return { type: 'image/png', width: view.getUint32(16), height: view.getUint32(20) };
}

const START = 0xd8;
const SEGMENT_HEAD = 4;
/** Frames, which say the size: all of 0xc0 to 0xcf but the tables and extensions among them. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
/** Markers that no segment follows. Bytes 0xff before a marker are padding. */
const isAlone = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd9);

/** The first frame counts, as for decoders. */
function readJpeg(view: DataView): Picture | null {
  if (view.byteLength < 3 || view.getUint16(0) !== (0xff00 | START) || view.getUint8(2) !== 0xff) return null;
  for (let at = 2; at + SEGMENT_HEAD + 5 <= view.byteLength; ) {
    if (view.getUint8(at) !== 0xff) return null;
    const marker = view.getUint8(at + 1);
    if (isFrame(marker)) return { type: 'image/jpeg', height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    at += marker === 0xff ? 1 : isAlone(marker) ? 2 : 2 + view.getUint16(at + 2);
  }
  return null;
}
