// Asks the device for its position, only when the button is pressed, and shows the map there with a dot. The position
// goes into the part of the URL that is never sent, and into the memory of this tab for the dot. Without WebGL it is
// sent to get a list, in an answer that nobody stores.
const HERE = 'hidamari-here';
const button = document.querySelector('#here');
const failed = document.querySelector('#here-failed');

if (button instanceof HTMLButtonElement && failed instanceof HTMLElement && 'geolocation' in navigator) {
  button.hidden = false;
  button.addEventListener('click', () => {
    failed.hidden = true;
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        const [lat, lon] = [coords.latitude.toFixed(5), coords.longitude.toFixed(5)];
        const hasMap = document.createElement('canvas').getContext('webgl2') !== null;
        const map = button.dataset.map ?? '';
        const zoom = matchMedia('(max-width: 48rem)').matches ? 18 : 16.5;
        sessionStorage.setItem(HERE, `${lat} ${lon}`);
        if (!hasMap) location.assign(`${map}?lat=${lat}&lon=${lon}`);
        else if (location.pathname !== map) location.assign(`${map}#${zoom}/${lat}/${lon}`);
        else {
          // The choices in the URL stay.
          location.hash = `${zoom}/${lat}/${lon}`;
          dispatchEvent(new Event(HERE));
        }
      },
      () => {
        failed.hidden = false;
      },
    );
  });
}

export {};
