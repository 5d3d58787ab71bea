const SIZE = 32;
const [HEADER, ENTRY, BITMAP] = [6, 16, 40];

/** The colour of a point of the mark, as blue, green, red and opacity: a white stem with two leaves on a green disc. */
function colourAt(x: number, y: number): [number, number, number, number] {
  const within = (cx: number, cy: number, r: number) => (x - cx) ** 2 + (y - cy) ** 2 <= r ** 2;
  if (!within(15.5, 15.5, 15.5)) return [0, 0, 0, 0];
  const isStem = Math.abs(x - 15.5) <= 1.5 && y >= 10 && y <= 26;
  const isLeft = within(8.5, 17, 7) && within(15.5, 10, 7);
  const isRight = within(22.5, 13, 7) && within(15.5, 6, 7);
  return isStem || isLeft || isRight ? [255, 255, 255, 255] : [0x4a, 0x6b, 0x1f, 255];
}

/** The icon of the site: one picture of 32 points with opacity, as a bitmap in an ICO file. */
function draw(): Buffer {
  const pixels = Buffer.alloc(SIZE * SIZE * 4);
  for (let y = 0; y < SIZE; y += 1)
    for (let x = 0; x < SIZE; x += 1) pixels.set(colourAt(x, y), ((SIZE - 1 - y) * SIZE + x) * 4);
  const mask = Buffer.alloc((SIZE * SIZE) / 8);
  const head = Buffer.alloc(HEADER + ENTRY + BITMAP);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.writeUInt8(SIZE, HEADER);
  head.writeUInt8(SIZE, HEADER + 1);
  head.writeUInt16LE(1, HEADER + 4);
  head.writeUInt16LE(32, HEADER + 6);
  head.writeUInt32LE(BITMAP + pixels.length + mask.length, HEADER + 8);
  head.writeUInt32LE(HEADER + ENTRY, HEADER + 12);
  const bitmap = HEADER + ENTRY;
  head.writeUInt32LE(BITMAP, bitmap);
  head.writeInt32LE(SIZE, bitmap + 4);
  head.writeInt32LE(SIZE * 2, bitmap + 8);
  head.writeUInt16LE(1, bitmap + 12);
  head.writeUInt16LE(32, bitmap + 14);
  return Buffer.concat([head, pixels, mask]);
}

export const icon = draw();
