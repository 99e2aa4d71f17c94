/** Thrown where an answer needs something that is not there now; it becomes a 503 whose `detail` is the message. */
export class Unavailable extends Error {
  override name = 'Unavailable';
}
