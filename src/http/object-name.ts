/** Longest name of an object that stores take, bytes (https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-keys.html). */
const MOST_BYTES = 1024;

/**
 * What is wrong with the name of an object or, with a slash at the end, of a folder of them; null: nothing. A name is a path with `/`
 * that stays below the place it is joined to, in a URL as on a disk: no empty, `.` or `..` part (so it is not absolute
 * either), no backslash, no control character. Empty is the place itself.
 */
export function nameComplaint(name: string): string | null {
  const parts = name.replace(/\/$/, '').split('/');
  const isPlain = name === '' || parts.every((part) => part !== '' && part !== '.' && part !== '..');
  if (isPlain && !/[\\\p{Cc}]/u.test(name) && Buffer.byteLength(name) <= MOST_BYTES) return null;
  return `${JSON.stringify(name.slice(0, 200))} is no name of an object`;
}
