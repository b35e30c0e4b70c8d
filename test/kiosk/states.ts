import type { Page } from "playwright-core";

const PROBLEMS = ["no_face", "many_faces", "too_dark", "blurred", "face_hidden", "not_a_photo", "bad_image", "other"];
const ENDINGS = [
  "timeout",
  "declined",
  "reset",
  "blocked",
  "failed",
  "maintenance",
  "not_ready",
  "busy",
  "unpaired",
  "server",
];

/** Everything the kiosk can show, by name. */
export const STATES = [
  "start",
  "qr",
  "consent",
  "consent-thanks",
  "outfits",
  "camera",
  "camera-none",
  "camera-down",
  "review",
  "sending",
  "checking",
  ...PROBLEMS.map((problem) => `again-${problem}`),
  "phone",
  "done",
  ...ENDINGS.map((ending) => `end-${ending}`),
  "idle",
  "offline",
  "trouble",
] as const;

/**
 * Puts the page straight into one of its states, without walking there: through the page's own modules, so that what
 * is looked at is what a guest would see.
 */
export async function putInto(page: Page, state: string, lang: string): Promise<void> {
  await page.evaluate(
    async ([state, lang]) => {
      const load = (name: string) => import(`/${name}.js`);
      const [screens, draw, idle, { api }] = await Promise.all(["screens", "draw", "idle", "api"].map(load));
      const at = (id: string) => screens.byId(id, HTMLElement);
      const [screen = "", detail = ""] = state.split("-", 2);
      idle.noIdle();
      screens.setLanguage(lang);
      at("offline").hidden = state !== "offline" && state !== "trouble";
      if (!at("offline").hidden) {
        screens.setText(at("offline-title"), `${state}.title`);
        screens.setText(at("offline-lead"), `${state}.lead`);
      }
      const token = "q3Zc0m7yWkq8hB1xT5uJ2vN9aLs4RdEf";
      const guest = {
        token,
        deep_link: `https://t.me/my_sticker_booth_bot?start=${token}`,
        queue_position: 12,
        eta_seconds: 780,
      };
      const qr = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M1 1h3v3H1zM5 5h3v3H5z"/></svg>';
      if (screen === "qr") await draw.drawQr(guest, new Blob([qr]));
      if (screen === "outfits") draw.drawOutfits(await api.templates(lang), () => {});
      if (screen === "consent") {
        const name = "Абдурахмон-Мухаммад";
        screens.setText(at("consent-title"), `consent.${detail || "hello"}`, detail ? undefined : { name });
        if (detail) screens.clearText(at("consent-lead"));
        else screens.setText(at("consent-lead"), "consent.lead");
      }
      if (screen === "camera") {
        at("choose").hidden = !detail;
        at("shoot").hidden = detail !== "";
        screens.setText(at("camera-title"), detail ? "camera.other" : "camera.title");
        at("stage").dataset.state = detail || "starting";
        screens.setText(at("stage-note"), `camera.state.${detail || "starting"}`);
        if (detail) screens.clearText(at("camera-hint"));
        else screens.setText(at("camera-hint"), "camera.hint.blurred");
      }
      if (screen === "review") screens.setText(at("review-lead"), "review.several");
      if (screen === "sending" || screen === "checking") {
        const check = screen === "checking" ? "check." : "";
        screens.setText(at("sending-title"), `sending.${check}title`);
        screens.setText(at("sending-lead"), check ? "sending.check.lead" : "sending.kept");
        at("meter").hidden = screen === "checking";
      }
      if (screen === "again") {
        screens.setText(at("again-title"), `problem.${state.slice(6)}.title`);
        screens.setText(at("again-lead"), `problem.${state.slice(6)}.lead`);
      }
      if (screen === "phone") {
        screens.setText(at("phone-lead"), "phone.lead");
        draw.drawPhoneFacts(guest);
      }
      if (screen === "done") {
        screens.setText(at("phone-lead"), "phone.done");
        at("phone-facts").replaceChildren();
      }
      if (screen === "end") draw.showMessage(state.slice(4));
      else if (screen === "checking") screens.show("sending");
      else if (screen === "done") screens.show("phone");
      else if (["idle", "offline", "trouble"].includes(screen)) screens.show("outfits");
      else screens.show(screen);
      if (screen === "idle") idle.idleAfter(9.9, () => {});
      if (["end", "phone", "done"].includes(screen)) idle.idleAfter(20, () => {}, { ask: false });
    },
    [state, lang] as const,
  );
}
