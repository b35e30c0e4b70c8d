import type { Page } from "playwright-core";
import sharp from "sharp";

/** What a camera brings from now on: one colour, a picture (as a data: address), or nothing new any more. */
export type View = { colour: string } | { picture: string };

/** The kiosk's frame, px, as the camera brings it. */
const SIZE = { width: 900, height: 1200 } as const;
const ROOM = "#8a7f74";

/** Waits until the camera of the guests is in a state. */
export const inState = (page: Page, state: string) => page.waitForSelector(`#stage[data-state=${state}]`);

/** Waits for a line of advice. */
export const hintSays = (page: Page, part: string) =>
  page.waitForFunction((part) => document.getElementById("camera-hint")?.textContent?.includes(part), part);

/** From now on the browser refuses the camera with this error, never answers ("hang"), or gives it again (null). */
export const refuseCamera = (page: Page, name: string | null) =>
  page.evaluate((name) => {
    const devices = navigator.mediaDevices;
    Reflect.deleteProperty(devices, "getUserMedia");
    if (name === "hang") devices.getUserMedia = () => new Promise(() => {});
    else if (name) devices.getUserMedia = () => Promise.reject(new DOMException("as asked", name));
  }, name);

/**
 * From now on every camera that is opened shows this, painted afresh so that the frames count as new. Within the page,
 * `stopFrames` ends the painting of the open ones: their tracks live on and bring nothing.
 */
export const pointCamera = (page: Page, view: View) =>
  page.evaluate(
    async ([view, { width, height }]) => {
      const image = new Image();
      if ("picture" in view) {
        image.src = view.picture;
        await image.decode();
      }
      const timers: ReturnType<typeof setInterval>[] = [];
      Object.assign(window, { stopFrames: () => timers.splice(0).forEach(clearInterval) });
      navigator.mediaDevices.getUserMedia = async () => {
        const canvas = Object.assign(document.createElement("canvas"), { width, height });
        const context = canvas.getContext("2d");
        const paint = () => {
          if (!context) return;
          context.fillStyle = "colour" in view ? view.colour : "#000";
          context.fillRect(0, 0, width, height);
          if ("picture" in view) context.drawImage(image, 0, 0, width, height);
        };
        paint();
        timers.push(setInterval(paint, 50));
        return canvas.captureStream();
      };
    },
    [view, SIZE] as const,
  );

/** The open camera lives on and brings no new frame. */
export const freezeCamera = (page: Page) => page.evaluate(() => Reflect.get(window, "stopFrames")());

/** Does `act` and waits until the kiosk has noticed a lost camera; it is back so soon that looking now and then misses it. */
export async function loses(page: Page, act: () => Promise<unknown>): Promise<{ canShoot: boolean }> {
  const noticed = page.evaluate(
    () =>
      new Promise<{ canShoot: boolean }>((done) => {
        const stage = document.querySelector<HTMLElement>("#stage");
        const shoot = document.querySelector<HTMLButtonElement>("#shoot");
        if (!stage || !shoot) throw new Error("there is no camera screen");
        new MutationObserver((_, observer) => {
          if (stage.dataset.state !== "lost") return;
          observer.disconnect();
          done({ canShoot: !shoot.disabled });
        }).observe(stage, { attributeFilter: ["data-state"] });
      }),
  );
  await act();
  return await noticed;
}

/** A camera's picture that shows the portrait this many times, each so wide and high (parts of the frame). */
export async function crowd(
  portrait: string,
  places: readonly { left: number; top: number; width: number }[],
): Promise<Buffer> {
  const people = places.map(async ({ left, top, width }) => {
    const wide = Math.round(width * SIZE.width);
    const whole = await sharp(portrait).resize({ width: wide }).toBuffer({ resolveWithObject: true });
    // What hangs over the edge is cut off.
    const [x, y] = [Math.round(left * SIZE.width), Math.round(top * SIZE.height)];
    const [cutX, cutY] = [Math.max(0, -x), Math.max(0, -y)];
    const part = {
      left: cutX,
      top: cutY,
      width: Math.min(whole.info.width - cutX, SIZE.width - Math.max(0, x)),
      height: Math.min(whole.info.height - cutY, SIZE.height - Math.max(0, y)),
    };
    return { input: await sharp(whole.data).extract(part).toBuffer(), left: Math.max(0, x), top: Math.max(0, y) };
  });
  const room = sharp({ create: { ...SIZE, channels: 3, background: ROOM } });
  return await room
    .composite([{ input: await wallpaper() }, ...(await Promise.all(people))])
    .jpeg({ quality: 92 })
    .toBuffer();
}

/** Stripes: a sharp, well lit place without a face. */
async function wallpaper(): Promise<Buffer> {
  const stripes = Array.from(
    { length: 30 },
    (_, at) => `<rect x="${at * 60}" width="30" height="1200" fill="#c9b8a8"/>`,
  );
  return await sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${SIZE.width}" height="1200">${stripes.join("")}</svg>`,
    ),
  )
    .png()
    .toBuffer();
}

export const dataUrl = (jpeg: Buffer) => `data:image/jpeg;base64,${jpeg.toString("base64")}`;
