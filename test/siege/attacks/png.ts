import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);

export interface PngShape {
  width: number;
  height: number;
  bitDepth: 1 | 8 | 16;
  /** 0: grey, 2: colour, 6: colour and alpha. */
  colourType: 0 | 2 | 6;
}

const SAMPLES = { 0: 1, 2: 3, 6: 4 };
/** Limit of the compressed rows. The header still promises the full size. */
const MOST_BYTES = 220_000_000;

/** A PNG of zeros of any size, which compress to a thousandth. */
export function emptyPng({ width, height, bitDepth, colourType }: PngShape): Buffer {
  const rowBytes = 1 + Math.ceil((width * bitDepth * SAMPLES[colourType]) / 8);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([bitDepth, colourType, 0, 0, 0], 8);
  const data = deflateSync(Buffer.alloc(Math.min(rowBytes * height, MOST_BYTES)), { level: 9 });
  return Buffer.concat([SIGNATURE, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]);
}

export function chunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, sum]);
}

/** A small PNG with a compressed text chunk that inflates to 100 MB. */
export function textBomb(): Buffer {
  const png = emptyPng({ width: 8, height: 8, bitDepth: 8, colourType: 6 });
  const bomb = chunk(
    'zTXt',
    Buffer.concat([Buffer.from('Comment\0\0', 'latin1'), deflateSync(Buffer.alloc(100_000_000))]),
  );
  const afterHeader = SIGNATURE.length + 25;
  return Buffer.concat([png.subarray(0, afterHeader), bomb, png.subarray(afterHeader)]);
}

/** A JPEG with a size and no content. */
export function emptyJpeg(width: number, height: number): Buffer {
  const frame = Buffer.from([0xff, 0xc0, 0, 17, 8, 0, 0, 0, 0, 3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0]);
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    frame,
    Buffer.from([0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0, 0, 0xff, 0xd9]),
  ]);
}
