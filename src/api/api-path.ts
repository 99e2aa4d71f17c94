/** Whether a path belongs to the interface, known or not. */
export function isApiPath(path: string): boolean {
  return path.startsWith('/api/') || path === '/api';
}
