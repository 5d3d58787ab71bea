export interface Picture {
  type: 'image/png' | 'image/jpeg';
  width: number;
  height: number;
}

/**
 * Maximum number of pixels, more than a logo has at 600 dots per inch. It limits decoding to half a second and 64 MB, because a small file
 * can hold a huge picture.
 */
export const MOST_PIXELS = 4_000_000;

export function hasTooManyPixels({ width, height }: Picture): boolean {
  return width * height > MOST_PIXELS;
}

/** Reads type and size from the header of a PNG or JPEG without decoding it. Null if it is neither, or has no size. */
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
/** Frame markers, whose segments hold the size: 0xc0 to 0xcf without DHT (0xc4), JPG (0xc8) and DAC (0xcc). */
const isFrameMarker = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
/** Markers without a segment. */
const isStandalone = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd9);

/** Maximum number of segments and padding bytes before the first frame, so that no picture costs more to read than another. */
const MOST_SEGMENTS = 1000;

/** Reads the first frame, as decoders do. */
function readJpeg(view: DataView): Picture | null {
  if (view.byteLength < 3 || view.getUint16(0) !== (0xff00 | START) || view.getUint8(2) !== 0xff) return null;
  for (let at = 2, count = 0; at + SEGMENT_HEAD + 5 <= view.byteLength && count < MOST_SEGMENTS; count += 1) {
    if (view.getUint8(at) !== 0xff) return null;
    const marker = view.getUint8(at + 1);
    if (isFrameMarker(marker))
      return { type: 'image/jpeg', height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    // Bytes 0xff before a marker are padding.
    at += marker === 0xff ? 1 : isStandalone(marker) ? 2 : 2 + view.getUint16(at + 2);
  }
  return null;
}
