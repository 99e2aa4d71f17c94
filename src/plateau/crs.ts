/** JGD2011 geographic 3D with heights above Tokyo Bay (6697), its horizontal part (6668) and its vertical (6695). */
const READ = new Set(['6697', '6668', '6695']);

/**
 * The EPSG code of a coordinate reference system that is read (6697 or 6668), or null. Takes every spelling: URL, URN
 * with or without version, `EPSG:n`, `…epsg.xml#n`, and a compound of a horizontal and a vertical system.
 */
export function readableCrs(srsName: string): 6697 | 6668 | null {
  const codes = [...srsName.matchAll(/EPSG(?::|\/|\.xml#)+(?:[\d.]*[:/]+)?(\d{4,6})(?!\d)/gi)].map(
    (match) => match[1]!,
  );
  if (codes.length === 0 || !codes.every((code) => READ.has(code))) return null;
  if (codes.includes('6697')) return 6697;
  return codes.includes('6668') ? 6668 : null;
}
