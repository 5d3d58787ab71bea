/**
 * Checks a key of the file store and returns it. Keys contain no characters with a meaning in paths or URLs. Any other key is a bug:
 * throws.
 */
export function checkedKey(key: string): string {
  if (!/^\d{1,10}\/[A-Za-z0-9_-]{16,64}$/.test(key)) throw new Error('not a key of the file store');
  return key;
}
