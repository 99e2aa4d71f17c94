/** A text without its percent-encoding; null when it is not percent-encoded UTF-8. */
export function percentDecoded(text: string): string | null {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
