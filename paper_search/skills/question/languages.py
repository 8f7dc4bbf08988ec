"""Codes of languages, and their names as questions have them."""

LANGUAGES = {
    "en": "english|englisch(?:er|e)?|anglais|inglés|英文|英语|英語",
    "de": "german|deutsch(?:er|e)?|allemand|alemán|德文|德语|ドイツ語",
    "fr": "french|französisch(?:er|e)?|français|francés|法文|法语|フランス語",
    "es": "spanish|spanisch(?:er|e)?|espagnol|español|西班牙文|西班牙语|スペイン語",
    "zh": "chinese|chinesisch(?:er|e)?|chinois|chino|中文|中国語",
    "ja": "japanese|japanisch(?:er|e)?|japonais|japonés|日文|日语|日本語",
    "ko": "korean|koreanisch(?:er|e)?|coréen|coreano|韩文|韓国語",
    "ru": "russian|russisch(?:er|e)?|russe|ruso|俄文|ロシア語",
    "pt": "portuguese|portugiesisch(?:er|e)?|portugais|portugués|葡萄牙文",
    "it": "italian|italienisch(?:er|e)?|italien|italiano|意大利文",
}
