// The picture of a fight as a PNG: drawn on a canvas from the server's SVG, to save or to send.
const SHARP = 2; // pixels of the PNG for one of the picture

async function png(image) {
  image.loading = "eager";
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = SHARP * image.naturalWidth;
  canvas.height = SHARP * image.naturalHeight;
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
  return new File([blob], "grognard.png", { type: "image/png" });
}

export async function savePicture(image) {
  const address = URL.createObjectURL(await png(image));
  const link = Object.assign(document.createElement("a"), { href: address, download: "grognard.png" });
  link.click();
  URL.revokeObjectURL(address);
}

// Show the button where the browser can send files.
export function offerSending(button) {
  const sample = new File([""], "grognard.png", { type: "image/png" });
  button.hidden = !navigator.canShare?.({ files: [sample] });
}

export async function sendPicture(image) {
  try {
    await navigator.share({ files: [await png(image)], text: image.alt, url: location.href });
  } catch (problem) {
    if (problem.name !== "AbortError") throw problem; // the player thought better of it
  }
}
