import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';

/** One page of a PDF as a PNG. */
export function pageOf(pdf: Uint8Array, page: number, dotsPerInch: number): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'page-'));
  try {
    writeFileSync(join(folder, 'document.pdf'), pdf);
    const which = ['-f', String(page), '-l', String(page), '-r', String(dotsPerInch)];
    execFileSync('pdftoppm', [...which, '-png', '-singlefile', join(folder, 'document.pdf'), join(folder, 'page')]);
    return readFileSync(join(folder, 'page.png'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Share of the pixels that differ visibly between two pictures. 1: their sizes differ. */
export function difference(one: Buffer, other: Buffer): number {
  const [left, right] = [PNG.sync.read(one), PNG.sync.read(other)];
  const { width, height } = left;
  if (right.width !== width || right.height !== height) return 1;
  return pixelmatch(left.data, right.data, undefined, width, height, { threshold: 0.2 }) / (width * height);
}

/** The difference between a picture and the approved one in the file `kept`. Writes the picture to `seen`: to approve it, copy it to `kept`. */
export function differenceFrom(kept: string, picture: Buffer, seen: string): number {
  mkdirSync(dirname(seen), { recursive: true });
  writeFileSync(seen, picture);
  return existsSync(kept) ? difference(readFileSync(kept), picture) : 1;
}
