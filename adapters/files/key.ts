/** Keys are made by the product and hold no character with a meaning in paths or URLs. Any other key is a bug. */
export function checkedKey(key: string): string {
  if (!/^\d{1,10}\/[A-Za-z0-9_-]{16,64}$/.test(key)) throw new Error('not a key of the file store');
  return key;
}
