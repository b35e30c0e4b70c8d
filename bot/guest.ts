/**
 * The guest's side of the bot. A handler does one transaction: the guest's move and the answer it promises, marked with
 * the update's id. So an update that Telegram repeats changes nothing, and one cut short by a crash is done again.
 */
import { Composer, type Context } from "grammy";
import { enqueueChatPhoto } from "../shared/chat-photos.ts";
import { eraseGuest } from "../shared/erase.ts";
import { jobById } from "../shared/jobs.ts";
import { type Button, notify, rewrite } from "../shared/notices.ts";
import { type Pack, packsOf } from "../shared/packs.ts";
import { closeQuestion, putQuestion } from "../shared/questions.ts";
import { answerConsent, findSession, latestSessionOf, linkSession, tokenPattern } from "../shared/sessions.ts";
import { maintenance } from "../shared/settings.ts";
import { type Lang, langs } from "../shared/status.ts";
import { templateById, titleOf } from "../shared/templates.ts";
import { companiesOf, escapeHtml, speak, type Texts } from "../shared/texts/index.ts";
import { handleOnce } from "../shared/updates.ts";
import { adoptLang, chooseLang, markUnreachable, seeUser, type User, userById } from "../shared/users.ts";
import type { BotContext } from "./context.ts";

/** Telegram shows up to 100 buttons; a guest with more packs than this sees the newest. */
const PACKS_SHOWN = 20;

/** Some phones send a photo as a file of no particular type; its bytes will tell. */
const mayBePhoto = (mimeType = "") => /^(image\/.*|application\/octet-stream|)$/.test(mimeType);

type Guest = { user: User; texts: Texts; say: (text: string, buttons?: Button[][]) => void };

export function guestHandlers(context: BotContext): Composer<Context> {
  const { db, config, now, wake } = context;
  const bot = new Composer<Context>();
  const guests = bot.chatType("private");

  guests.command("start", (ctx) =>
    once(ctx, (guest) => {
      const token = ctx.match.trim();
      if (token === "") guest.say(guest.texts.start);
      else link(ctx.from.language_code ? guest : atTheKiosk(guest, token), token);
    }),
  );
  guests.command("help", (ctx) => once(ctx, ({ say, texts }) => say(texts.help)));
  guests.command("privacy", (ctx) =>
    once(ctx, ({ say, texts }) => say(texts.privacy(config.PHOTO_TTL_HOURS, companiesOf(config)))),
  );
  guests.command("language", (ctx) =>
    once(ctx, ({ say, texts }) =>
      say(texts.language.ask, [langs.map((l) => ({ text: speak(l).self, callback_data: `lang:${l}` }))]),
    ),
  );
  guests.command("packs", (ctx) => once(ctx, listPacks));
  guests.command("delete", (ctx) =>
    once(ctx, ({ say, texts: { erase } }) =>
      say(erase.ask, [
        [{ text: erase.data, callback_data: "erase:data" }],
        [{ text: erase.packs, callback_data: "erase:packs" }],
        [{ text: erase.keep, callback_data: "erase:no" }],
      ]),
    ),
  );

  bot.callbackQuery(/^consent:([A-Za-z0-9_-]+):(yes|no)$/, (ctx) =>
    once(ctx, (guest) =>
      consent(guest, ctx.match[1] as string, ctx.match[2] === "yes", ctx.callbackQuery.message?.message_id),
    ),
  );
  bot.callbackQuery(/^lang:(ru|uz|en)$/, (ctx) =>
    once(ctx, (guest) => changeLanguage(guest, ctx.match[1] as Lang, ctx.callbackQuery.message?.message_id)),
  );
  bot.callbackQuery(/^erase:(data|packs|no)$/, (ctx) => once(ctx, (guest) => erase(guest, ctx.match[1] as string)));

  guests.on(["message:photo", "message:document"], (ctx) =>
    once(ctx, (guest) => {
      const { photo, document } = ctx.message;
      const file = photo?.at(-1) ?? (mayBePhoto(document?.mime_type) ? document : undefined);
      if (file) receivePhoto(guest, file.file_id, file.file_size ?? 0);
      else guest.say(guest.texts.photo.onlyPhotos);
    }),
  );
  guests.on("message", (ctx) => once(ctx, (guest) => tellWhere(guest)));
  guests.on("my_chat_member", (ctx) => {
    if (ctx.myChatMember.new_chat_member.status === "kicked") markUnreachable(db, ctx.from.id, now());
    else once(ctx, () => {});
  });
  return bot;

  /** Runs `work` for this update once ever, then lets the promised answers go out. */
  function once(ctx: Context, work: (guest: Guest) => void) {
    const { from } = ctx;
    if (!from) return;
    handleOnce(db, ctx.update.update_id, now(), () => {
      const unreachableAt = userById(db, from.id)?.unreachable_at ?? null;
      const user = seeUser(db, from, now());
      const guest: Guest = {
        user,
        texts: speak(user.lang),
        say: (text, buttons) => notify(db, { chatId: user.id, text, buttons, now: now() }),
      };
      if (unreachableAt !== null) sendMissed(guest, unreachableAt);
      work(guest);
    });
    wake();
  }

  /** Whose phone names no language reads the one of the kiosk they stand at. */
  function atTheKiosk(guest: Guest, token: string): Guest {
    const session = tokenPattern.test(token) ? findSession(db, token, now()) : null;
    if (!session?.lang) return guest;
    const user = adoptLang(db, guest.user, session.lang);
    return { ...guest, user, texts: speak(user.lang) };
  }

  function link(guest: Guest, token: string) {
    const { user, say, texts } = guest;
    // A visit that began before the pause waits unlinked: the same code works again after it.
    if (maintenance(db) && latestSessionOf(db, user.id)?.token !== token) return say(texts.maintenance);
    const result = tokenPattern.test(token) ? linkSession(db, token, user, config, now()) : "unknown";
    if (result === "linked") return askConsent(guest, token);
    if (result !== "again") return say(texts.link[result]);
    const status = latestSessionOf(db, user.id)?.status;
    if (status === "linked") askConsent(guest, token);
    else tellWhere(guest);
  }

  function askConsent({ user, texts }: Guest, token: string) {
    const { yes, no } = texts.consent;
    const text = texts.consent.ask(escapeHtml(user.first_name), config.PHOTO_TTL_HOURS, companiesOf(config));
    const buttons = [
      [{ text: yes, callback_data: `consent:${token}:yes` }],
      [{ text: no, callback_data: `consent:${token}:no` }],
    ];
    putQuestion(db, { token, chatId: user.id, text, buttons, now: now() });
  }

  function consent({ user, say, texts }: Guest, token: string, agreed: boolean, messageId: number | undefined) {
    const result = answerConsent(db, token, user.id, agreed, config, now(), messageId);
    if (result === "over" && messageId) closeQuestion(db, token, user.id, messageId, now());
    if (result === "unknown" || result === "over") return say(texts.link[result]);
    if (result === "again") return;
    if (messageId) {
      // The question stays readable, its buttons go.
      const { ask, yes, no } = texts.consent;
      const text = `${ask(escapeHtml(user.first_name), config.PHOTO_TTL_HOURS, companiesOf(config))}\n\n<b>${agreed ? yes : no}</b>`;
      rewrite(db, messageId, { chatId: user.id, text, now: now() });
    }
    say(result === "agreed" ? texts.consent.agreed : texts.consent.declined);
  }

  function changeLanguage({ user, say }: Guest, lang: Lang, messageId: number | undefined) {
    chooseLang(db, user.id, lang, now());
    const texts = speak(lang);
    const set = { chatId: user.id, text: texts.language.set, now: now() };
    if (messageId) rewrite(db, messageId, set);
    else notify(db, set);
    const session = latestSessionOf(db, user.id);
    if (session?.status === "linked") askConsent({ user: { ...user, lang }, say, texts }, session.token);
  }

  function linkTo(pack: Pack): string {
    return `${config.TELEGRAM_WEB_ROOT}/addstickers/${pack.name}`;
  }

  /** A guest who had blocked the bot is back: what was ready meanwhile is theirs. */
  function sendMissed({ user, say, texts }: Guest, since: number) {
    for (const pack of packsOf(db, user.id, PACKS_SHOWN)) {
      if ((pack.link_sent_at ?? 0) < since) continue;
      say(`${texts.pack.ready(pack.stickers)}\n${linkTo(pack)}`, [[{ text: texts.pack.add, url: linkTo(pack) }]]);
    }
  }

  function listPacks({ user, say, texts }: Guest) {
    const packs = packsOf(db, user.id, PACKS_SHOWN);
    if (packs.length === 0) return say(texts.packs.none);
    const button = (pack: Pack) => {
      const outfit = templateById(db, jobById(db, pack.job_id)?.template_id ?? "");
      const title = outfit ? titleOf(outfit, user.lang) : undefined;
      return { text: texts.packs.pack(title, pack.decided_at, config.TZ_NAME, now()), url: linkTo(pack) };
    };
    say(
      texts.packs.list(packs.length),
      packs.map((pack) => [button(pack)]),
    );
  }

  function erase({ user, say, texts }: Guest, what: string) {
    if (what === "no") return say(texts.erase.kept);
    const erased = eraseGuest(db, config.DATA_DIR, user.id, what === "packs", now());
    say(texts.erase.done(erased.files, erased.packs, erased.stopped));
  }

  function receivePhoto(guest: Guest, fileId: string, size: number) {
    const session = latestSessionOf(db, guest.user.id);
    if (session?.status === "consented") return guest.say(guest.texts.photo.chooseFirst);
    if (session?.status !== "template_chosen") return tellWhere(guest, guest.texts.photo.notNow);
    enqueueChatPhoto(db, { session: session.token, userId: guest.user.id, fileId, size, now: now() });
  }

  /** Whatever else a guest writes: says what the visit waits for. */
  function tellWhere({ user, say, texts }: Guest, nothing = texts.where.nothing) {
    const status = latestSessionOf(db, user.id)?.status;
    if (status === "linked" || status === "consented" || status === "template_chosen" || status === "photo_taken") {
      return say(texts.where[status]);
    }
    say(nothing);
  }
}
