import { PNG } from 'pngjs';

/** A logo: a disc on nothing, as a PNG. */
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
