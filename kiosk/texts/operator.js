// What the operators' corner says, in three languages; loaded with it.

export const ru = {
  "operator.title": "Уголок оператора",
  "operator.pin": "Введите PIN-код",
  "operator.wrong": "Неверный код",
  "operator.locked": "Слишком много попыток. Подождите минуту.",
  "operator.unset": "PIN-код не задан. Откройте страницу один раз с #pin=… в адресе.",
  "operator.camera": "Камера",
  "operator.any": "Любая фронтальная",
  "operator.gone": "Выбранной камеры нет",
  "operator.reload": "Перезагрузить",
  "operator.close": "Закрыть",
};

/** @type {Record<keyof typeof ru, string>} */
export const uz = {
  "operator.title": "Operator burchagi",
  "operator.pin": "PIN-kodni kiriting",
  "operator.wrong": "Kod notoʻgʻri",
  "operator.locked": "Urinishlar juda koʻp. Bir daqiqa kuting.",
  "operator.unset": "PIN-kod qoʻyilmagan. Sahifani bir marta manzilga #pin=… qoʻshib oching.",
  "operator.camera": "Kamera",
  "operator.any": "Istalgan old kamera",
  "operator.gone": "Tanlangan kamera yoʻq",
  "operator.reload": "Qayta yuklash",
  "operator.close": "Yopish",
};

/** @type {Record<keyof typeof ru, string>} */
export const en = {
  "operator.title": "Operator’s corner",
  "operator.pin": "Enter the PIN",
  "operator.wrong": "Wrong PIN",
  "operator.locked": "Too many attempts. Please wait a minute.",
  "operator.unset": "No PIN is set. Open the page once with #pin=… in the address.",
  "operator.camera": "Camera",
  "operator.any": "Any front camera",
  "operator.gone": "The chosen camera is not there",
  "operator.reload": "Reload",
  "operator.close": "Close",
};
