/**
 * A function that calls `make` once for each object, and then returns the same value. It keeps the value as long as the
 * object exists (a `WeakMap`).
 */
export function memoized<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const values = new WeakMap<Key, Value>();
  return (key) => {
    const value = values.get(key) ?? make(key);
    values.set(key, value);
    return value;
  };
}
