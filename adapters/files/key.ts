/** Keys are made by the product and hold nothing that a path or a URL would read as something else; anything else is a bug. */
export function checkedKey(key: string): string {
  if (!/^\d{1,10}\/[A-Za-z0-9_-]{16,64}$/.test(key)) throw new Error('not a key of the file store');
  return key;
}
