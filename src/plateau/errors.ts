/**
 * A file that is not the CityGML of buildings that this program reads: nothing of it can be trusted, so it is left
 * out as a whole. The message names the file, the byte, what was found, what was expected and what to do.
 */
export class CityGmlError extends Error {
  override name = 'CityGmlError';
  /** The file as named in reports. */
  file: string;
  /** Offset of the place in the file, or null when it is the file as a whole. */
  byte: number | null;

  constructor(file: string, byte: number | null, problem: string) {
    super(byte === null ? `${file}: ${problem}` : `${file}: byte ${byte}: ${problem}`);
    this.file = file;
    this.byte = byte;
  }
}
