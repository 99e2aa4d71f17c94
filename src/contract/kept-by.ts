/** Makes a value once for each object, and keeps it as long as the object exists (a `WeakMap`). */
export function keptBy<Key extends object, Made>(make: (key: Key) => Made): (key: Key) => Made {
  const known = new WeakMap<Key, Made>();
  return (key) => {
    const made = known.get(key) ?? make(key);
    known.set(key, made);
    return made;
  };
}
