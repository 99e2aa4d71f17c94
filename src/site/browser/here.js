// Asks the device where it is, only when the button is pressed, and shows the map there. The position goes into the part of the
// address that is never sent; without WebGL it is asked for as a list, in an answer that nobody keeps.
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
        location.assign(hasMap ? `${map}#16.5/${lat}/${lon}` : `${map}?lat=${lat}&lon=${lon}`);
      },
      () => {
        failed.hidden = false;
      },
    );
  });
}

export {};
