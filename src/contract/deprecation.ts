/** When an operation or member of the interface ends, and what takes its place: docs/versions.md has the policy. */
export interface Deprecation {
  /** The day from which it is deprecated, YYYY-MM-DD. */
  since: string;
  /** The day after which it may answer 404, YYYY-MM-DD: at least half a year later. */
  until: string;
  /** Where to read what takes its place. */
  link: string;
}

const midnight = (day: string): number => Date.parse(`${day}T00:00:00Z`);

/** The headers of a deprecated operation (RFC 9745, RFC 8594), name and value in turn; none for any other. */
export function deprecationHeaders(deprecated: Deprecation | undefined): string[] {
  if (deprecated === undefined) return [];
  const { since, until, link } = deprecated;
  const sunset = new Date(midnight(until)).toUTCString();
  return ['Deprecation', `@${midnight(since) / 1000}`, 'Sunset', sunset, 'Link', `<${link}>; rel="deprecation"`];
}
