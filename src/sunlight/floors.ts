/** Height of a storey where none is published, metres. */
const STOREY_HEIGHT_M = 3;
/** Height of a window's middle above its floor, metres. */
const WINDOW_HEIGHT_M = 1.5;

/** Storeys as published, or estimated from the solid height (top − base, metres): at least 1. */
export function storeysOf(published: number | null, solidHeightM: number): { storeys: number; estimated: boolean } {
  if (published !== null && published >= 1) return { storeys: Math.round(published), estimated: false };
  return { storeys: Math.max(1, Math.round(solidHeightM / STOREY_HEIGHT_M)), estimated: true };
}

/** The first, middle and top floor: storey number, and the height above the base (metres) at which it is seen. */
export function floorsOf(storeys: number, solidHeightM: number): { floor: number; heightM: number }[] {
  return [1, Math.ceil(storeys / 2), storeys].map((floor) => ({
    floor,
    heightM: floorHeight(floor, storeys, solidHeightM),
  }));
}

/** The height above the base (metres) at which a floor is seen, 1 to the storeys. */
export function floorHeight(floor: number, storeys: number, solidHeightM: number): number {
  const storeyHeight = solidHeightM / storeys;
  return (floor - 1) * storeyHeight + Math.min(WINDOW_HEIGHT_M, storeyHeight / 2);
}
