import { expect, test } from '@jest/globals';
import { hasTooManyPixels, readPicture } from '../../billing/look/picture.ts';
import { blackPng } from '../support/logo.ts';

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');

test('the size of a PNG is read from its header', () => {
  expect(readPicture(blackPng(40_000, 3))).toEqual({ type: 'image/png', width: 40_000, height: 3 });
  expect(readPicture(blackPng(40_000, 3).subarray(0, 23))).toBeNull();
});

test('the size of a JPEG is read from its first frame, after padding, comments, tables and a thumbnail', () => {
  const thumbnail = 'ffe1 000b ffc0 000b 08 0001 0001';
  const frame = 'ffc2 000b 08 0200 0300 01 011100';
  const picture = hex(`ffd8 ffff ${thumbnail} ffd0 fffe 0004 4142 ffc4 0003 00 ${frame}`);
  expect(readPicture(picture)).toEqual({ type: 'image/jpeg', width: 0x300, height: 0x200 });
  expect(readPicture(hex('ffd8 ffe0 0004 0000 ffd9 0000 0000 0000'))).toBeNull();
  expect(readPicture(hex('ffd8 ffc0 000b 08 0000 0300 01 011100'))).toBeNull(); // no height
});

test('other formats have no size, and any number of bytes can be read', () => {
  const others = ['', 'ff', 'ffd8ff', 'ffd8ffc0', '474946383961', '52494646', 'ffd8ffe00000ffe00000'];
  expect(others.map((bytes) => readPicture(hex(bytes)))).toEqual(others.map(() => null));
  const frame = 'ffc0 000b 08 0001 0001 01 011100';
  expect(readPicture(hex(`ffd8 ${'ff'.repeat(900)} ${frame}`))).not.toBeNull();
  expect(readPicture(hex(`ffd8 ${'ff'.repeat(100_000)} ${frame}`))).toBeNull(); // only padding
});

test('pixels are counted as an area, not by the longer side', () => {
  const sizes = [
    [4000, 1000, false],
    [1, 4_000_000, false],
    [2001, 2000, true],
    [4001, 1000, true],
  ] as const;
  const told = sizes.map(([width, height]) => hasTooManyPixels({ type: 'image/png', width, height }));
  expect(told).toEqual(sizes.map(([, , isTooLarge]) => isTooLarge));
});
