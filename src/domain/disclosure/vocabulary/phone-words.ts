// What calls a number one to reach somebody by, and what calls it something else, in the languages that people advertise in.

/** Words beside which a number is a phone's. */
export const PHONE_CUES: Readonly<Record<string, string>> = {
  en: 'texts preferred, texts only, texts ok, texting, texts please, voicemail, voice mail, texts or calls, ring it, pick up the phone, answers, gets me, gets hold of me, after six, ask for, phone, phones, telephone, tel, fone, call, calls, call me, callme, ring, rings, dial, dials, mobile, mob, cell, cellphone, cellular, text, txt, sms, landline, hotline, fax, handset, facetime, whatsapp, whats app, watsapp, whatsap, wapp, wa, zap, my number, number is, nmbr, digits are, ph, phn, ring me, green button, buzz me, contact line, phone line, imessage, viber, telly number, call us, calling, type, rings in my, straight through, text me, reaches, reaches me, reach me on, number, numbr, get me on, gets you, whatsapp me, ring us, give us a ring',
  es: 'al habla, móviles, timbrazo, teléfono, telf, tlf, tfno, móvil, celular, cel, llama, llámame, llamame, llamar, llamad, llame, llámanos, whatsapp, wasap, guasap, wasapea, mi número, mi numero, fijo, marca, llamadas, numero de',
  pt: 'telefone, telemóvel, telemovel, celular, liga, ligue, ligar, liga pra, ligue para, chama no zap, zap, zapzap, whats, fone, meu número, telefonar, tlm, chamadas',
  fr: 'téléphone, téléphoner, tél, appel, appelez, appelle, appeler, appelez-moi, portable, mobile, numéro, joignable, sonner, sonnez, mon numéro, gsm, coup de fil, fixe, texto',
  it: 'telefono, tel, cell, cellulare, chiama, chiamami, chiamate, chiamatemi, chiamare, mio numero, telefonare, telefonami, telefonate, fisso, chiamaci, squillo',
  de: 'durchklingeln, rufnr, tel nr, telefon, tel, handy, handynummer, mobil, mobilnummer, ruf, rufen, ruft, anrufen, anruf, rufnummer, telefonnummer, ruf mich, ruf an, festnetz, erreichbar unter, klingel, klingeln, meine nummer, durchwahl, vorwahl, fon, smsen, telefonisch, anklingeln, funk',
  nl: 'telefoon, tel, bel, bellen, bel me, mobiel, 06-nummer, mijn nummer, telefoonnummer, app, appen, telefoonnr, gsm, bereikbaar op',
  sv: 'telefon, tel, ring, ringa, mobil, mobilnummer, mitt nummer, sms, telefonnummer, slå',
  da: 'telefon, tlf, ring, mobil',
  fi: 'puhelin, puh, soita, numero',
  pl: 'telefon, tel, dzwoń, dzwonić, zadzwoń, dzwonić, komórka, komórkowy, kom, numer, mój numer, telefonu, zadzwonic, sms, nr tel, dzwoncie',
  cs: 'telefon, volejte, zavolejte, mobil, volat',
  ro: 'telefon, suna, sunati, mobil',
  el: 'τηλέφωνο, τηλ, κινητό, καλέστε',
  ru: 'звонок, звякните, набрать, на связи, телефон, тел, звоните, звони, позвоните, звонить, позвони, набирайте, набери, номер, мой номер, моб, мобильный, мобила, сотовый, сот, ватсап, вотсап, вацап, вайбер, смс, телефону, звоните мне, наберите, трубка, номерок, телефончик, номеру, воцап, звонки, для звонков, по номеру, вотсапп',
  ru_latin: 'zvonite, zvoni, telefonu, nomer',
  uk: 'телефон, тел, дзвоніть, телефонуйте, зателефонуйте, номер, моб, мобільний, вайбер, набирайте, дзвони, подзвони, мій номер, телефонуй',
  tr: 'telefon, tel, ara, arayın, beni ara, arayin, cep, cep telefonu, numaram, numara, gsm, whatsapp, ulaşın, arayabilirsiniz, telefonum, arayınız',
  ar: 'اتصل, اتصلوا, هاتف, جوال, الجوال, موبايل, تلفون, تليفون, واتساب, واتس, رقم, رقمي, الرقم, جوالي, كلمني, هاتفي, اتصال, للاتصال, الواتس, الواتساب, اتصلي, رقم الهاتف, دق, هاتف رقم, موبايلي',
  fa: 'تماس, تلفن, موبایل, شماره, شماره‌ام, زنگ, زنگ بزنید, همراه, واتساپ, تماس بگیرید, شماره من, گوشی, شمارم, واتس‌اپ, واتس اپ',
  he: 'טלפון, נייד, להתקשר, התקשרו, ווטסאפ, מספר',
  ur: 'فون, موبائل, نمبر, کال, واٹس ایپ, رابطہ نمبر, کال کریں, ٹیلی فون, واٹس اپ',
  hi: 'बात करें, बात करे, बात कीजिए, पर बात, काल करें, कॉल कीजिए, मिस्ड कॉल, फोन, फ़ोन, मोबाइल, कॉल, कॉल करें, नंबर, नम्बर, व्हाट्सएप, वॉट्सऐप, संपर्क, व्हाट्सऐप, वाट्सएप, फोन करें, मोबाईल, काल, सम्पर्क',
  hi_latin:
    'call karein, baat karein, baat kare, phone karo, call karo, call karen, mera number, number hai, phone karein, mobile number, sampark',
  mr: 'फोन, मोबाईल, कॉल, नंबर, संपर्क, फोन करा, कॉल करा, व्हॉट्सॲप, व्हाट्सअ‍ॅप, नंबर आहे',
  bn: 'ফোন দিন, কল দিন, ফোন, মোবাইল, কল, নম্বর, নাম্বার, হোয়াটসঅ্যাপ, ফোন করুন, কল করুন, যোগাযোগ, মোবাইল নম্বর, নং, হোয়াটসঅ্যাপ',
  te: 'ఫోన్, మొబైల్, కాల్, నంబర్, వాట్సాప్, ఫోన్ చేయండి, కాల్ చేయండి, నెంబర్, సంప్రదించండి, నంబరు, నెంబరు',
  ta: 'போன், ஃபோன், மொபைல், அழைக்க, அழைக்கவும், எண், தொலைபேசி, வாட்ஸ்அப், தொடர்புக்கு, கைபேசி, அழையுங்கள், நம்பர், செல்',
  gu: 'ફોન, મોબાઇલ, નંબર, કોલ',
  pa: 'ਫੋਨ, ਮੋਬਾਈਲ, ਨੰਬਰ, ਕਾਲ',
  th: 'โทร, เบอร์, มือถือ',
  zh: '电话, 手机, 打我, 致电, 来电, 打电话, 手机号, 号码, 电联, 热线, 座机, 打, 拨打, 拨, 電話, 手機, 微信同号, 同号, 短信, 打给我, 打过来, 拨号, 联系电话, 我的号, 微信同, 随时',
  ja: '電話, お電話, 携帯, でんわ, 電話番号, tel, 番号, 携帯番号, かけて, ケータイ, けいたい, ショートメール, フリーダイヤル, テル',
  ko: '전화, 연락처, 휴대폰, 핸드폰, 폰, 전화번호, 번호, 문자, 전번, 통화, 콜, 핸폰, 연락',
  vi: 'gọi, điện thoại, sđt, sdt, đt, số, di động, gọi cho, gọi số, zalo, liên hệ, alo, hotline, số điện thoại, nhắn tin, gọi ngay',
  id: 'telepon, telp, tlp, hubungi, hp, nomor, no hp, wa, telpon, nomer, call, kontak, nomor saya, no wa, whatsapp, sms ke, telfon',
};

/** Of those, what other sentences use too: not enough alone. */
export const PHONE_VAGUE =
  'ask for, after six, answers, texting, ring it, call, calls, calling, number, numbr, ring, rings, number is, type, text, mobile, numero, numéro, номер, номеру, رقم, الرقم, شماره, نمبر, नंबर, নম্বর, నంబర్, எண், 号码, 番号, 번호, số, nomor, numer, numara, 打, 拨, 随时, ara, marca, liga, bel, app, cell, wa, dial, cel, mob, sms, phone, phones, telefon, teléfono, телефон, numero de, kom, nm, straight through, slå, mobil, chamadas, llamadas, appel, звонки, ring me, 콜, 폰, 연락, 통화, 문자, ಎண்';

/** Words that list the parts of a number. */
export const PARTS =
  'a couple of, couple of, pair of, al final, zuletzt, dahinter, дальше, далее, начало, и наконец, after it, before it, leading zero, continued, to close, closing, opening, e infine, y luego, en dan, tot slot, na koniec, en sonunda, por fim, depois vem, dopo, then, first, next, last, finally, second, third, followed, after, add, plus, start, starts, begin, begins, end, ends, finish, part, parts, half, pieces, halves, area code, area, code, country, prefix, city, vorwahl, dann, danach, zuerst, zum schluss, indicatif, puis, ensuite, enfin, préfixe, luego, después, prefijo, primero, trozos, poi, prefisso, infine, prima, depois, prefixo, ddd, pedaços, сначала, потом, затем, код, конец, в конце, potem, najpierw, kierunkowy, na końcu, sonra, önce, alan kodu, lalu, kemudian, 前三位, 中间, 后四位, 前, 后, 然后, 开头, 最后, 结尾, 市外局番, 次に, 最後, それから, 먼저, 다음, 마지막, 끝, 뒤, 앞, फिर, पहले, आखिर, ثم, بعدها, أولا, أخيرا, سپس, بعد, đầu, giữa, cuối, rồi, in front, drop, remainder, rest, four times, middle, ending, beginning, missing, glue, riddle, join, combine, digits, rest of it, daarna, eerst, sedan, först, sist';

/** Small words that stand between a number and what calls it one. */
export const COUNTED = `users messages minutes rows usd eur gbp dollars euros euro customers downloads records people words times hours days
  per month months year years items units km miles mile kg tokens requests texts subscribers members impressions percent pixels px mm cm gb mb tb
  hz khz samples images parameters entries visits visitors characters phones sq readers rpm listeners viewers followers volts watts
  pages page pieces pcs seats lessons guests mg ml m ft feet inch g dpi fps hour min mins minuten stunden tage seiten euro rub руб usd pln zł kr
  chf grams tonnes lb lbs students sentences clinics cards pts points games rounds weeks week minutos dias horas páginas jours heures euros minutes
  元 円 원 分 分钟 米 人 页 字 件 個 枚 年 月 日 時 分間 張 条 位 段 张 台 本 回 % ₽ € $ £ 歳 ページ gib kb tps qps ms sec secs seconds people personen clients сек мин руб лет стр шт чел pesos reais bits bit`;

/** What a number belongs to that is called by such a word: no phone's. */
export const NUMBERED_OTHERWISE = `matrix vector array tuple sudoku usb vid isbn issn sku part model item ref reference serial order invoice patent version ean upc gtin asin doi product article
  catalog catalogue grant award contract topic license licence permit registration vat ein duns case docket id nsn cas hs oclc lot batch tracking
  build release iso rfc standard iban routing page pages zip plz postcode section project proposal solicitation budget population
  employees size sizes coordinates lat lon lng latitude longitude error http port ports porte порты порт toner ersatzteil teilenummer vergleichsnummer bearing bearings
  подшипник арт артикул ref réf teil art code codes price prices preis prix precio цена rev chapter kapitel uuid hash commit fibonacci sequence primes pi
  isbn-13 ral pantone arxiv din en lei law gost гост stations postal plate plates prime sums sum sequences numbers series splits split stats score scores lens mounts sizes rows score
  rate rates odds 端口 版本 型号 货号 编号 型番 品番 모델 pin otp tan population weight height grid`;
