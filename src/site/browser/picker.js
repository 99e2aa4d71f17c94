// Forms of the class `picker` are sent as soon as something is chosen; their button stays for those without scripts.
for (const form of document.querySelectorAll('form.picker')) {
  if (form instanceof HTMLFormElement) form.addEventListener('change', () => form.requestSubmit());
}

// The place on the page stays where it was when a choice loads it again.
const KEY = 'hidamari-scroll';
const kept = sessionStorage.getItem(KEY);
sessionStorage.removeItem(KEY);
if (kept?.startsWith(`${location.pathname} `)) scrollTo(0, Number(kept.split(' ')[1]));
addEventListener('pagehide', () => sessionStorage.setItem(KEY, `${location.pathname} ${scrollY}`));

export {};
