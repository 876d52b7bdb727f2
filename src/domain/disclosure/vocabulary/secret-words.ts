// What unlocks something, what stands for an account with a bank, and where somebody lives: the words that announce each.

/** Words that announce a password. */
export const SECRETS: Readonly<Record<string, string>> = {
  latin:
    'password, passwords, pass word, passwd, passwort, pwd, pw, pass, passcode, passphrase, pass phrase, passkey, secret, the secret, kennwort, zugangsdaten, losung, contraseña, contrasena, contra, clave, clave de acceso, senha, palavra-passe, palavra passe, mot de passe, mot 2 passe, mot d passe, motdepasse, mdp, parola, parola d’ordine, password wifi, wachtwoord, lösenord, losen, haslo, hasło, heslo, jelszo, şifre, sifre, parola, parolam, şifrem, mật khẩu, mat khau, kata sandi, katasandi, salasana, parole, lozinka, adgangskode, passord, credentials, login, wifi key, api key, apikey, api token, access key, secret key, token, bearer, private key, license key, unlock code, wifi code, master key, recovery phrase, seed phrase, parol, logins, pasword, passw, pazzword',
  ru: 'пароль, пароли, пасс, пассворд, ключ доступа, секрет, паролем, пароля, логин, пас',
  uk: 'пароль, паролі, ключ доступу, паролем, логін',
  ar: 'كلمة السر, كلمة المرور, الرقم السري, باسورد, الباسورد, كلمه السر, كلمة سر, كلمة مرور, السر, باسوورد, رمز الدخول, كلمه المرور',
  fa: 'رمز, رمز عبور, پسورد, گذرواژه, کلمه عبور, رمزش, پسوورد, رمز ورود',
  ur: 'پاس ورڈ, پاسورڈ, خفیہ کوڈ',
  hi: 'पासवर्ड, पास वर्ड, गुप्त कोड, कूटशब्द',
  mr: 'पासवर्ड, संकेतशब्द, परवलीचा शब्द',
  bn: 'পাসওয়ার্ড, পাস ওয়ার্ড, পাসওয়ার্ড, গোপন কোড',
  te: 'పాస్‌వర్డ్, పాస్ వర్డ్, పాస్వర్డ్, సంకేతపదం',
  ta: 'கடவுச்சொல், பாஸ்வேர்டு, பாஸ்வேர்ட், கடவுச்சொற்கள்',
  zh: '密码, 口令, 密鑰, 密钥, 密碼, 登录密码, 解压密码, 提取码, 暗号, 通行码',
  ja: 'パスワード, パス, ぱすわーど, 暗証番号, 合言葉, パスコード, 合い言葉, 解凍パス, pw',
  ko: '비밀번호, 비번, 패스워드, 암호, 비밀 번호, 비밀번호는, 비번은, 암호는',
  el: 'κωδικός, κωδικος',
  he: 'סיסמה, סיסמא',
};

/** Words before a short number that opens something. */
export const PINS =
  'pin, pin code, контрольное слово, кодовое слово, pincode, pin-code, pin number, door code, gate code, door pin, entry code, access code, unlock code, key code, keycode, safe code, alarm code, lock code, lockbox, lockbox code, keypad, cvv, cvc, otp, security code, türcode, zugangscode, geheimzahl, código de la puerta, código de acceso, codigo puerta, code porte, code de la porte, digicode, codice porta, codice cancello, codice, código da porta, код двери, пин, пинкод, пин-код, код от двери, домофон, код домофона, код от подъезда, kod do drzwi, kod do domofonu, kapı kodu, mã pin, mã cửa, kode pintu, kode pin, 门禁密码, 门锁密码, 开锁密码, 暗証番号, 도어락, toegangscode, portkod, deurcode, الرقم السري, رمز الباب, पिन, পিন, پن کوڈ, پین کد, بتن, wifi code, alarm, safe, combination, combo, tan, code for the door, code to the gate, пін-код, пін, код дверей';

/** Words that make a sentence speak of secrets, not tell one. */
export const SECRET_TOPICS = `manager managers management reset policy policies hashed hashing hash strength strong security secure rotation rotate audit audits checker generator
  recovery setup protection protected rate required field fields label labels flow forgot forgotten lost leak leaks stored encrypted storage vault authentication auth protocol handling
  rules minimum characters words length refresh revoke course workshop training article lesson less-less free policy-based tests testing test explained comparison types type bcrypt argon
  argon2id scrypt sha md5 oauth jwt forget never change changed changing безопасность курс взлом проверка segura seguras strength 强度 检测 学 课程 管理 保护`;

/** Words before the number of an account. */
export const ACCOUNTS =
  'agência, cuenta corriente, account, account number, account no, acct, acc, acc no, a c, ac no, konto, kontonummer, konto-nr, kontonr, konto nr, cuenta, numero de cuenta, número de cuenta, conta, número da conta, conta corrente, compte, numéro de compte, conto, numero di conto, conto corrente, rekening, rekeningnummer, bankrekening, nomor rekening, no rekening, rekening bca, rek, numer konta, nr konta, rachunek, счёт, счет, расчетный счет, номер счета, номер карты, карта, карту, карте, сбер, рахунок, номер рахунку, номер картки, картка, hesap, hesap numarası, hesap no, iban, routing, routing number, aba, sort code, sortcode, blz, bankleitzahl, ifsc, bsb, swift, bic, clabe, cbu, cvu, rib, agência, agencia, card, card number, my card, visa, mastercard, amex, kreditkarte, kartennummer, tarjeta, número de tarjeta, cartão, carte, carte bleue, numéro de carte, carta, carta di credito, kaart, karta, kart, kart numarası, thẻ, số thẻ, số tài khoản, tài khoản, stk, kartu, nomor kartu, 账号, 银行卡, 卡号, 银行账号, 银行卡号, 户口, 帐号, 帳號, 口座, 口座番号, カード番号, カード, クレカ, 계좌, 계좌번호, 카드번호, 카드, حساب, رقم الحساب, الحساب, آيبان, ايبان, بطاقة, رقم البطاقة, شماره کارت, کارت, شماره حساب, شبا, اکاؤنٹ نمبر, کارڈ, खाता, खाता संख्या, खाता नंबर, अकाउंट, अकाउंट नंबर, कार्ड, হিসাব, হিসাব নম্বর, একাউন্ট, অ্যাকাউন্ট নম্বর, কার্ড, ఖాతా, ఖాతా నంబర్, కార్డు, கணக்கு எண், கணக்கு, கார்டு, bankkonto, clearingnummer, kontonummer, bankgiro, plusgiro, wallet, btc, usdt, trc20, bitcoin, ethereum, eth, monero, pix, chave, cpf, ssn, social security, payid, zelle, deposit, transfer, überweisen, überweisung, perevod, переведи, перевод';

/** Words for a street, before or behind its name. */
export const STREETS: Readonly<Record<string, string>> = {
  en: 'street, st, avenue, ave, road, rd, lane, ln, boulevard, blvd, drive, dr, court, ct, terrace, crescent, close, mews, way, place, row, gardens, grove, hill, parade, square, alley, highway, walk, rise, quay',
  de: 'straße, strasse, str, gasse, allee, platz, weg, ring, damm, ufer, chaussee',
  fr: 'rue, r, avenue, boulevard, bd, chemin, impasse, allée, quai, place, route, cours, ruelle, av',
  es: 'calle, c, avenida, avda, av, paseo, plaza, carrera, camino, callejón, ronda, travesía, cl, pasaje',
  pt: 'rua, avenida, av, travessa, praça, alameda, largo, estrada, rodovia, tv, beco',
  it: 'via, viale, piazza, corso, vicolo, largo, piazzale, strada',
  nl: 'straat, laan, gracht, plein, weg, kade, steeg, dijk',
  sv: 'gatan, gata, vägen, väg, torget, gränd',
  pl: 'ulica, ul, ulicy, aleja, plac, osiedle, os',
  ru: 'улица, ул, улице, проспект, пр, пр-т, переулок, пер, шоссе, бульвар, набережная, площадь, проезд, просп, б-р, наб',
  uk: 'вулиця, вул, вулиці, проспект, просп, провулок, бульвар, площа',
  tr: 'sokak, sok, sk, cadde, caddesi, cad, cd, sokağı, bulvarı, bulvar, mahallesi, mah',
  ar: 'شارع, طريق, جادة, حي, زقاق, ش',
  fa: 'خیابان, کوچه, بلوار, خ, میدان',
  ur: 'گلی, سڑک, روڈ, سٹریٹ',
  hi: 'गली, सड़क, मार्ग, रोड, स्ट्रीट, नगर, मोहल्ला',
  mr: 'गल्ली, रस्ता, रोड, मार्ग, पेठ',
  bn: 'রোড, সড়ক, গলি, লেন, সরণি, সড়ক',
  te: 'వీధి, రోడ్డు, రోడ్, నగర్',
  ta: 'தெரு, சாலை, வீதி, நகர்',
  zh: '路, 街, 大道, 巷, 弄, 胡同, 大街, 街道',
  ja: '丁目, 町, 通り, 番地, 番町',
  ko: '로, 길, 대로, 번길, 동',
  vi: 'đường, phố, ngõ, hẻm, duong',
  id: 'jalan, jl, jln, gang, gg',
};

/** Words that say where in a house, or that somebody lives there. */
export const HOMES =
  'gate, knock, knock twice, ring twice, twice, honk, leave it at, at the gate, backyard, front door, green door, red door, kommt vorbei, vorbei, komm vorbei, hinterhof, ring på, bel bij, aanbellen, bel aan, chez, code porte, rdc, passate, passa, da me, piano, secondo piano, primo piano, suonate, suona, toca, llama al timbre, rellano, bata, toque, przyjdź, wejście, zapukaj, приходите, заходите, заезжайте, звоните в дверь, постучите, gelin, kapıyı çal, pukaj, zvoňte, kopogj, घंटी, घंटी बजाएं, gõ cửa, gọi cửa, ketuk, my house, my home, my place, my kitchen, my porch, my door, my flat, my garage, my garden, my apartment, my studio, i live, we live, live at, living at, come to, come by, come over, pick up, pickup, collect, collection, drop off, drop by, letterbox, doorbell, buzzer, ring the bell, the bell, porch, apartment, apt, flat, unit, floor, suite, door, send to, post to, deliver to, ship to, house number, house, the house, home, address, corner, bell, wohnung, stock, bei mir, daheim, zuhause, zu hause, abholung, hinterhaus, klingel, klingeln, hausnummer, wohne, bei uns, chez moi, étage, j’habite, sonnez, interphone, porte, code postal, adresse, récupérer, à domicile, appartement, bâtiment, mi casa, en casa, piso, puerta, vivo, vivo en, número, timbre, portal, dirección, recoge, recoger, bajo, casa, a casa mia, casa mia, abito, civico, citofono, interno, scala, minha casa, em casa, moro, andar, apto, bloco, número, retirar, morada, thuis, mijn huis, bij mij, huisnummer, woon, hemma, hos mig, bor, mieszkam, u mnie, dom, mieszkanie, m, klatka, domofon, odbiór, д, дом, кв, квартира, у меня, забирать, подъезд, этаж, домофон, живу, самовывоз, корпус, буд, будинок, вдома, забрати, під’їзд, поверх, evim, evimden, daire, kat, no, numara, kapı, zil, alınır, منزلي, بيتي, شقة, طابق, رقم, عمارة, منزل, خانه, پلاک, واحد, طبقه, منزل, گھر, مکان, مکان نمبر, فلیٹ, منزل, घर, मकान, मकान नंबर, फ्लैट, मंजिल, नंबर, मेरे घर, घर नंबर, घर क्रमांक, বাড়ি, বাসা, ফ্ল্যাট, তলা, বাড়ি নং, ఇల్లు, ఇంటి, ఫ్లాట్, ఇంటి నంబర్, வீடு, வீட்டு எண், கதவு எண், 号, 号楼, 室, 单元, 楼, 栋, 門牌, 我家, 家里, 住, 上门, 来我家, 自宅, 号室, 番地, 番, 号, 佐藤, 우리집, 집, 호, 층, 아파트, 번지, số nhà, nhà, số, tầng, căn hộ, chung cư, rumah, rumah saya, no, blok, rt, rw, nomor, zip, postcode, plz, cash';

/** Words that make a street a show, a song or a business. */
export const STREET_TOPICS = `policy research survey surveys dossier cinema cinéma fiction study studies analysis painting paintings watercolour watercolor tribute rilievi perizia statale provinciale regionale visitors visitor landmark landmarks tourist tourists guide guided series thesis essay essays choir band brewery facade restoration timeline festival market theatre theater musical museum parade replica gallery press catalogue catalog magazine film fan art documentary album remaster
  news style exhibition fair booth hall stall stand stage trip trail tour tours season episode song songs photos views poster posters puppets view minuten minutes min miles km cards game
  show book books journal papers band records club cup league team championship party dance history novel story stories art food seats rows gates map maps`;
