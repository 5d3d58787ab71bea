import { crc32, deflateSync } from 'node:zlib';
import { PNG } from 'pngjs';

/** A logo as a PNG: two discs on a transparent background. */
export function logoPng(size = 96): Buffer {
  const picture = new PNG({ width: size * 2, height: size });
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size * 2; x++) {
      const inside = [size / 2, size].some((center) => (x - center) ** 2 + (y - size / 2) ** 2 < (size * 0.42) ** 2);
      picture.data.set(inside ? [15, 118, 110, 255] : [0, 0, 0, 0], (y * size * 2 + x) * 4);
    }
  }
  return PNG.sync.write(picture);
}

/** A black picture as a PNG with one bit per pixel. It has few bytes at any size. */
export function blackPng(width: number, height: number): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head[8] = 1; // bit depth; the other bytes are 0: greyscale, deflate, not interlaced
  const rows = deflateSync(Buffer.alloc((1 + Math.ceil(width / 8)) * height));
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))]);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [data.length, crc32(named)].map((value) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return bytes;
  });
  return Buffer.concat([length ?? Buffer.alloc(0), named, sum ?? Buffer.alloc(0)]);
}
