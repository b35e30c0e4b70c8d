/** Sticker sets by the rules of core.telegram.org/bots/api#createnewstickerset and its neighbours. */
import { refuse, wrong } from "../errors.ts";
import type { Json, SetSticker, StickerSet } from "../types.ts";
import { addStickerFile, stickerOf } from "./images.ts";
import { listOf, type Method, numberOf, objectOf, type Request, textOf, uploaded } from "./method.ts";
import type { World } from "./world.ts";

const NAME_MAX = 64;
const TITLE_MAX = 64;
const FIRST_STICKERS_MAX = 50;
const SET_STICKERS_MAX = 120;
const EMOJI_MAX = 20;
const realEmoji = /^\p{RGI_Emoji}$/v;

export const stickerMethods: Record<string, Method> = {
  createNewStickerSet,
  getStickerSet({ world, params }) {
    const set = setNamed(world, params.name);
    const stickers = set.stickers.map((sticker) => {
      const file = world.files.get(sticker.fileId);
      return file && stickerOf(file, sticker.emoji[0], set.name);
    });
    return { name: set.name, title: set.title, sticker_type: "regular", stickers };
  },
  deleteStickerSet({ world, params }) {
    world.deleteSet(setNamed(world, params.name).name);
    return done(world);
  },
  async uploadStickerFile({ world, params, files }) {
    knownOwner(world, params.user_id);
    if (params.sticker_format !== "static") wrong("the simulator knows static stickers only");
    const bytes = uploaded(files, params.sticker);
    if (!bytes) return wrong("there is no sticker file in the request");
    const file = await addStickerFile(world, bytes);
    return { file_id: file.fileId, file_unique_id: file.uniqueId, file_size: bytes.length };
  },
  async addStickerToSet(request) {
    const { world, params } = request;
    const set = ownedSet(world, params.name, params.user_id);
    if (set.stickers.length >= SET_STICKERS_MAX) wrong("STICKERS_TOO_MUCH");
    set.stickers.push(await inputSticker(request, params.sticker));
    return done(world);
  },
  async replaceStickerInSet(request) {
    const { world, params } = request;
    const set = ownedSet(world, params.name, params.user_id);
    const index = set.stickers.findIndex((one) => one.fileId === params.old_sticker);
    if (index < 0) refuse("STICKER_INVALID");
    set.stickers[index] = await inputSticker(request, params.sticker);
    return done(world);
  },
  setStickerPositionInSet({ world, params }) {
    const { set, index } = stickerInSet(world, params.sticker);
    const [moved] = set.stickers.splice(index, 1);
    if (moved) set.stickers.splice(numberOf(params.position) ?? 0, 0, moved);
    return done(world);
  },
  deleteStickerFromSet({ world, params }) {
    const { set, index } = stickerInSet(world, params.sticker);
    set.stickers.splice(index, 1);
    if (set.stickers.length === 0) world.sets.delete(set.name.toLowerCase());
    return done(world);
  },
  setStickerEmojiList({ world, params }) {
    const { set, index } = stickerInSet(world, params.sticker);
    const sticker = set.stickers[index];
    if (sticker) sticker.emoji = emojiList(params.emoji_list);
    return done(world);
  },
  setStickerSetTitle({ world, params }) {
    setNamed(world, params.name).title = checkedTitle(params.title);
    return done(world);
  },
};

async function createNewStickerSet(request: Request): Promise<true> {
  const { world, params } = request;
  const name = textOf(params.name) ?? "";
  const ownerId = knownOwner(world, params.user_id);
  const title = checkedTitle(params.title);
  const ending = `_by_${world.bot.username}`.toLowerCase();
  const lower = name.toLowerCase();
  const wellFormed = /^[a-z][a-z0-9_]*$/i.test(name) && !name.includes("__") && name.length <= NAME_MAX;
  if (!wellFormed || !lower.endsWith(ending)) wrong("invalid sticker set name is specified");
  if (world.sets.has(lower) || world.burntNames.has(lower)) refuse("sticker set name is already occupied");
  if (params.sticker_type !== undefined && params.sticker_type !== "regular") wrong("the simulator knows regular sets");
  const given = listOf(params.stickers);
  if (given.length === 0) wrong("STICKERS_EMPTY");
  if (given.length > FIRST_STICKERS_MAX) wrong("STICKERS_TOO_MUCH");
  const stickers = await Promise.all(given.map((sticker) => inputSticker(request, sticker)));
  // Pictures took time to decode: another call may have taken the name in the meantime.
  if (world.sets.has(lower)) refuse("sticker set name is already occupied");
  world.sets.set(lower, { name, title, ownerId, stickers });
  return done(world);
}

async function inputSticker({ world, files }: Request, given: Json | undefined): Promise<SetSticker> {
  const input = objectOf(given);
  if (input.format !== "static") wrong("the simulator knows static stickers only");
  const emoji = emojiList(input.emoji_list);
  const keywords = listOf(input.keywords).join("");
  if (keywords.length > 64) wrong("STICKER_KEYWORDS_TOO_LONG");
  const bytes = uploaded(files, input.sticker);
  const known = world.files.get(textOf(input.sticker) ?? "");
  const file = bytes ? await addStickerFile(world, bytes) : known;
  if (file?.kind !== "sticker") return wrong("wrong file identifier/HTTP URL specified");
  return { fileId: file.fileId, emoji, bytes: file.bytes };
}

function emojiList(given: Json | undefined): string[] {
  const emoji = listOf(given).map(String);
  const real = emoji.every((one) => realEmoji.test(one) || realEmoji.test(`${one}\uFE0F`));
  if (emoji.length < 1 || emoji.length > EMOJI_MAX || !real) wrong("STICKER_EMOJI_INVALID");
  return emoji;
}

function checkedTitle(given: Json | undefined): string {
  const title = textOf(given) ?? "";
  if (title.trim() === "" || title.length > TITLE_MAX) wrong("PACK_TITLE_INVALID");
  return title;
}

function knownOwner(world: World, given: Json | undefined): number {
  const id = numberOf(given) ?? 0;
  if (!world.users.has(id) || id === world.bot.id) refuse("PEER_ID_INVALID");
  return id;
}

function setNamed(world: World, name: Json | undefined): StickerSet {
  return world.sets.get((textOf(name) ?? "").toLowerCase()) ?? refuse("STICKERSET_INVALID");
}

function ownedSet(world: World, name: Json | undefined, userId: Json | undefined): StickerSet {
  const set = setNamed(world, name);
  if (set.ownerId !== numberOf(userId)) refuse("STICKERSET_INVALID");
  return set;
}

function stickerInSet(world: World, fileId: Json | undefined): { set: StickerSet; index: number } {
  for (const set of world.sets.values()) {
    const index = set.stickers.findIndex((one) => one.fileId === fileId);
    if (index >= 0) return { set, index };
  }
  return refuse("STICKER_INVALID");
}

function done(world: World): true {
  world.changed();
  return true;
}
