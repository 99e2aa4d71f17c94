// The address of a sent form has no empty parameters.
addEventListener('formdata', ({ formData }) => {
  for (const [name, value] of [...formData]) if (value === '') formData.delete(name);
});

// A page to which the browser goes back has its own choices in its fields, not those that led on from it.
addEventListener('pageshow', ({ persisted }) => {
  const [navigation] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType('navigation'));
  if (!persisted && navigation?.type !== 'back_forward') return;
  for (const form of document.querySelectorAll('form.picker')) if (form instanceof HTMLFormElement) form.reset();
});

export {};
