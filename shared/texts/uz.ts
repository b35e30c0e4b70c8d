import type { Texts } from "./index.ts";
import { momentIn } from "./sales/dates.ts";

const moment = momentIn("uz-Latn", (near, year) => `${year}-yil ${near}`);

export const uz: Texts = {
  self: "Oʻzbekcha",
  consent: {
    ask: (name, hours, companies) =>
      `Assalomu alaykum${name ? `, <b>${name}</b>` : ""}! 👋\n\nSelfingizdan Telegram uchun stikerlar toʻplamini yasab beramiz.\n\n${companies.length > 0 ? `Stikerlarni chizish uchun surat sunʼiy intellekt xizmatiga (${companies.join(" yoki ")}) yuboriladi.` : "Stikerlar shu yerda, kabinaning oʻzida chiziladi; surat hech qayerga yuborilmaydi."} Uni koʻpi bilan ${hours} soat saqlaymiz, soʻng oʻchiramiz; ertaroq oʻchirish uchun /delete buyrugʻi bor.\n\nSuratingiz qayta ishlanishiga rozimisiz?`,
    yes: "✅ Roziman",
    no: "Yoʻq, rahmat",
    agreed: "Rahmat! ✨ Endi kabina ekranida obraz tanlang.",
    declined: "Xoʻp, suratga olmaymiz. Fikringiz oʻzgarsa, kabina ekranida «Boshlash»ni bosib, yangi kodni skanerlang.",
    closed: {
      agreed: "✅ Suratingiz qayta ishlanishiga rozilik berdingiz.",
      declined: "Rozilik bermadingiz, suratga olmaymiz.",
      timeout:
        "⌛ Vaqt tugadi, bu tashrif yakunlandi. Qaytadan boshlash uchun kabina ekranida «Boshlash»ni bosib, yangi kodni skanerlang.",
      reset:
        "Bu tashrif yakunlandi. Qaytadan boshlash uchun kabina ekranida «Boshlash»ni bosib, yangi kodni skanerlang.",
    },
  },
  link: {
    used: "Bu koddan boshqa mehmon foydalanib boʻlgan. Kabina ekranida «Boshlash»ni bosib, yangi kodni skanerlang.",
    over: "Bu kod endi amal qilmaydi. Kabina ekranida «Boshlash»ni bosib, yangi kodni skanerlang.",
    unknown: "Bunday kodni bilmayman. Uni kabina ekranidan qayta skanerlang.",
  },
  start:
    "Assalomu alaykum! 👋 Men selfilarni Telegram stikerlariga aylantiraman.\n\nKabinaga keling, ekranda «Boshlash»ni bosing va QR-kodni skanerlang.",
  help: "Bu qanday ishlaydi:\n1. Kabina ekranida «Boshlash»ni bosing va QR-kodni skanerlang.\n2. Shu yerda rozilik bering va ekranda obraz tanlang.\n3. Selfi oling. Taxminan bir daqiqada stikerlar shu yerga keladi.\n\n/packs — stikerlar toʻplamlaringiz\n/language — tilni almashtirish\n/privacy — nimani qancha saqlaymiz\n/delete — surat va maʼlumotlarni oʻchirish",
  privacy: (hours, companies) =>
    `<b>Nimalarni saqlaymiz</b>\n• Suratingiz va chizilgan stikerlar: ${hours} soatgacha, keyin oʻchiriladi.\n• Telegramdagi ID raqamingiz (telefon raqami emas), ismingiz va tilingiz: toʻplamni yuborish uchun.\n• Toʻplamlaringiz roʻyxati: /packs orqali koʻrsatish uchun.\n\n${companies.length > 0 ? `Surat chizish uchun ${companies.join(" yoki ")} xizmatiga beriladi, boshqa hech kimga emas.` : "Stikerlar kabinaning oʻzida chiziladi, surat hech kimga berilmaydi."} Tayyor toʻplam Telegramda turadi, havolasi bor har kim uni ocha oladi.\n\nHammasini oʻchirish: /delete`,
  language: { ask: "Qaysi tilda gaplashamiz?", set: "Endi oʻzbekcha gaplashamiz." },
  packs: {
    none: "Hozircha toʻplamingiz yoʻq. Kabinaga keling!",
    list: (n) => `Sizda ${n} ta toʻplam bor:`,
    pack: (outfit = "Toʻplam", ...when) => `${outfit} · ${moment(...when)}`,
  },
  erase: {
    ask: "Nimani oʻchiray? Qaytarib boʻlmaydi.",
    data: "Surat va maʼlumotlar",
    packs: "Surat, maʼlumot va toʻplamlar",
    keep: "Hech narsani",
    kept: "Hech narsa oʻchirilmadi.",
    done: (f, p, busy) =>
      `Oʻchirildi: ${f} ta fayl (surat va rasmlar), ismingiz va tilingiz. Tashriflar haqidagi qaydlar sizga bogʻlanmagan holda qoladi.${p > 0 ? ` ${p} ta toʻplam bir daqiqa ichida Telegramdan yoʻqoladi.` : ""}${busy > 0 ? " Tayyorlanayotgan toʻplam toʻxtatildi." : ""}\n\nYana yozsangiz, hammasini boshidan boshlaymiz.`,
  },
  where: {
    nothing: "Stiker olish uchun kabinaga keling, ekranda «Boshlash»ni bosing va QR-kodni skanerlang.",
    linked: "Iltimos, yuqoridagi savolga javob bering: suratingizni qayta ishlash mumkinmi?",
    consented: "Kabina ekranida obraz tanlang.",
    template_chosen: "Kabinada selfi oling yoki shu yerga yuboring.",
    photo_taken: "Stikerlaringiz tayyorlanmoqda. Tez orada shu yerga keladi.",
  },
  photo: {
    taken: "Surat olindi! 🎨 Stikerlar yaratilmoqda… Taxminan bir daqiqa vaqt ketadi.",
    takenQueued: (minutes) =>
      `Surat olindi! 🎨 Stikerlar yaratilmoqda… Oldingizda navbat bor, taxminan ${minutes} daqiqa ketadi.`,
    notNow: "Suratni faqat tashrif paytida yuborish mumkin. Kabina ekranida «Boshlash»ni bosib, QR-kodni skanerlang.",
    chooseFirst: "Avval kabina ekranida obraz tanlang, keyin surat yuboring.",
    unreadable: "Bu suratni ochib boʻlmadi. Iltimos, boshqasini yuboring.",
    tooLarge: "Surat juda katta. Uni fayl emas, rasm sifatida yuboring.",
    tooSlow: "Suratni Telegramdan olib boʻlmadi. Iltimos, yana bir marta yuboring.",
    onlyPhotos: "Menga surat kerak: selfi olib, shu yerga yuboring.",
  },
  packLimit: (n) => `Bugun ${n} ta toʻplam yasadingiz, bir kunda bundan ortigʻi mumkin emas. Ertaga keling!`,
  maintenance: "Kabinada qisqa tanaffus. Iltimos, birozdan keyin keling.",
  retake: {
    no_face: "Suratda yuz koʻrinmayapti. Kameraga qarab yangisini oling yoki selfini shu yerga yuboring.",
    many_faces:
      "Suratda bir nechta odam bor. Yolgʻiz oʻzingiz suratga tushing yoki faqat oʻzingiz tushgan suratni shu yerga yuboring.",
    too_dark: "Surat juda qorongʻi. Yorugʻlikka qarab yangisini oling yoki shu yerga yuboring.",
    blurred: "Surat xira chiqqan. Qimirlamay turib yangisini oling yoki shu yerga yuboring.",
    face_hidden: "Yuzingizning bir qismi yopiq. Uni ochib yangisini oling yoki shu yerga yuboring.",
    not_a_photo: "Bu odam suratiga oʻxshamaydi. Selfi oling yoki shu yerga yuboring.",
  },
  failed: {
    refused:
      "Rassom bu suratni chizishdan bosh tortdi: xavfsizlik qoidalari oʻtkazmadi. Boshqa surat bilan urinib koʻring: kabinada «Boshlash»ni qayta bosing.",
    bad_sheet:
      "Uzr, stikerlar yaxshi chiqmadi, yomonini esa bermaymiz. Kabinada yana urinib koʻring: bu tashrif hisobga kirmaydi.",
    providers_down:
      "Uzr, chizish xizmati javob bermayapti. Operatorlar xabardor. Keyinroq urinib koʻring: bu tashrif hisobga kirmaydi.",
    worker_died:
      "Uzr, chizish paytida xato yuz berdi. Operatorlar xabardor. Kabinada yana urinib koʻring: bu tashrif hisobga kirmaydi.",
    pack_refused:
      "Stikerlar tayyor, lekin Telegram toʻplamni qabul qilmayapti. Operatorlar xabardor, tuzatishga harakat qilishadi.",
    photo_gone: "Suratingiz endi bizda yoʻq, chizishga asos qolmadi. Iltimos, kabinada qaytadan boshlang.",
    cancelled: "Operator bu toʻplamni toʻxtatdi. Iltimos, kabinaga murojaat qiling.",
  },
  pack: {
    title: (name) => (name ? `${name}: stikerlar` : "Mening stikerlarim"),
    ready: (n) => `🎉 Toʻplamingiz tayyor: ${n} ta stiker!`,
    add: "Telegramga qoʻshish",
  },
  commands: {
    start: "Stiker qanday olinadi",
    packs: "Toʻplamlarim",
    language: "Til",
    privacy: "Nimani saqlaymiz",
    delete: "Maʼlumotlarimni oʻchirish",
    help: "Yordam",
  },
};
