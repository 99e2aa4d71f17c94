/** The body of an answer is longer than allowed. */
export class BodyTooLongError extends Error {
  override name = 'BodyTooLongError';
}

/**
 * Reads the body of an answer, up to `most` bytes.
 * @throws BodyTooLongError at the first byte beyond; the rest is not read
 */
export async function boundedBody(response: Response, most: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > most) throw new BodyTooLongError(`the answer has more than ${most} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
