/** Longest name of an object, bytes (https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-keys.html). */
const MOST_BYTES = 1024;

/**
 * Checks the name of an object or, with a slash at its end, of a folder. Returns the problem, or null. A valid name is
 * a relative path that stays below its folder, in a URL and on disk: no empty, `.` or `..` part, no backslash, no
 * control character. The empty name is the folder itself.
 */
export function nameComplaint(name: string): string | null {
  const parts = name.replace(/\/$/, '').split('/');
  const isPlain = name === '' || parts.every((part) => part !== '' && part !== '.' && part !== '..');
  if (isPlain && !/[\\\p{Cc}]/u.test(name) && Buffer.byteLength(name) <= MOST_BYTES) return null;
  return `${JSON.stringify(name.slice(0, 200))} is not a valid object name`;
}
