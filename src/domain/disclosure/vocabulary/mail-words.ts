// Where people have mailboxes, how domains end, and what announces an email address, in the spelling of each language.

/** Names of mail services that mean nothing else: beside a name they are an address. */
export const MAIL_CLEAR: Readonly<Record<string, string>> = {
  latin:
    'gmail, gmial, gmaill, gmai1, googlemail, google mail, g mail, g-mail, hotmail, hotmial, hot mail, ymail, protonmail, proton mail, rocketmail, gmx, fastmail, tutanota, tuta, rediffmail, rediff, hushmail, posteo, mailbox org, yandex mail, zohomail, zoho mail, icloud, i cloud, foxmail, libero mail, yahoomail, yahoo mail, ya mail, laposte, wanadoo, seznam, hanmail, naver mail, msn, live com, okaxis, okhdfcbank, oksbi, okicici, ybl, the big g, outlook mail, aol mail, web de, t-online, t online, bluewin, btinternet, comcast, gmeil, jimail, dzhimail, jimeil, qq mail, onet, wp pl, ukr net, interia, sapo, uol, hotmeil, otmail',
  ru: 'джимейл, джимайл, гмейл, гмайл, жмейл, джимэйл, гмаил, хотмейл, хотмайл, рамблер, мейлру, мэйлру, протонмейл, гуглпочта, гугл почта, джи мейл, яндекс почта, яндекс почте, яндекс почту, гуглмейл, айклауд, яндекс-почта, жмайл, мэйл ру, мейл ру, майл ру, маил ру, жимейл, бк ру, инбокс ру',
  uk: 'джимейл, гмейл, укрнет, укр нет, укр-нет, джімейл, ґмейл, хотмейл, айклауд',
  hi: 'जीमेल, जी मेल, हॉटमेल, रेडिफमेल, जी-मेल, जिमेल, याहूमेल, रेडिफ, हाटमेल, गूगल मेल, आईक्लाउड',
  bn: 'জিমেইল, জি মেইল, হটমেইল, জিমেল, জি-মেইল, আইক্লাউড',
  te: 'జీమెయిల్, జిమెయిల్, హాట్‌మెయిల్, జీ మెయిల్, జిమేల్, హాట్ మెయిల్, రెడిఫ్‌మెయిల్, జీమేల్',
  ta: 'ஜிமெயில், ஜீமெயில், ஹாட்மெயில், ஜி மெயில், ஜிமெயிலில், ஜிமெய்ல், ரெடிஃப்மெயில்',
  ur: 'جی میل, ہاٹ میل, جیمیل, ہاٹمیل, جی‌میل, آئی کلاؤڈ',
  ar: 'جيميل, جي ميل, هوتميل, هوت ميل, ايكلاود, آي كلاود, الجيميل, جميل كوم, بروتون ميل, جى ميل, هتميل',
  fa: 'جیمیل, جی میل, هاتمیل, جی‌میل, هات میل, آیکلود, جیمیلم',
  he: 'גימייל, הוטמייל, ג׳ימייל',
  zh: '谷歌邮箱, 网易邮箱, 扣扣邮箱, 新浪邮箱, qq邮箱, 微软邮箱, 狐狸邮箱, g邮箱, 谷歌邮件, 雅虎邮箱, 苹果邮箱, 腾讯邮箱, 网易, 新浪邮箱',
  ja: 'ジーメール, ジーメイル, gメール, ホットメール, ヤフーメール, ジメール, アイクラウド, gメ, ヤフメ, グーグルメール, ジーメ',
  ko: '지메일, 쥐메일, 핫메일, 한메일, 네이버메일, 구글메일, 다음메일, 네이버 메일, 지메이루, 쥐멜, 지멜, 아이클라우드',
  th: 'จีเมล, ฮอตเมล',
  el: 'τζιμεϊλ, χοτμεϊλ',
};

/** Names that are a company, a network or a plain word as well. */
export const MAIL_VAGUE: Readonly<Record<string, string>> = {
  latin:
    'yahoo, outlook, aol, zoho, yandex, qq, web, mail, libero, orange, hey, mailbox, naver, live, free, proton, ya, inbox, daum, ziggo, telia, kpn, tiscali, virgilio, terra, bol, rambler, bk, list, sina, sohu, 163, 126, 139, ig, me, mac, wp, o2, interia, freenet, arcor, email, google, upi, paytm, paypal, ok',
  ru: 'яндекс, мейл, мэйл, майл, маил, аутлук, яху, протон, почта',
  uk: 'яндекс, укр, мейл, аутлук, мета',
  hi: 'याहू, आउटलुक, मेल',
  bn: 'ইয়াহু, আউটলুক, মেইল',
  te: 'యాహూ, అవుట్‌లుక్, యాహు, ఔట్‌లుక్',
  ta: 'யாஹூ, அவுட்லுக், யாகூ',
  ur: 'یاہو, آؤٹ لک, میل',
  ar: 'ياهو, اوتلوك, أوتلوك, آوتلوك, اوت لوك, بروتون, جوجل',
  fa: 'یاهو, اوتلوک, آوتلوک, اوت لوک',
  zh: '雅虎, 网易, 新浪, 谷歌, 扣扣, 搜狐',
  ja: 'ヤフー, アウトルック, やふー, グーグル',
  ko: '네이버, 다음, 야후, 아웃룩, 네이트, 구글, 카카오',
  vi: 'thư gmail',
};

/** Top-level domains that are written out in other scripts. */
export const TOPS_SPOKEN: Readonly<Record<string, string>> = {
  ru: 'ком, ру, нет, орг, рф, инфо, нэт, ру́, ua, юа, уа, су, дот ру',
  hi: 'कॉम, नेट, ओआरजी, इन, काम, कोम, सीओ',
  bn: 'কম, নেট, বিডি, ইন',
  te: 'కామ్, నెట్, ఇన్, కాం',
  ta: 'காம், நெட், இன், கொம்',
  ur: 'کام, نیٹ, پی کے, اوآرجی',
  ar: 'كوم, نت, اورج, أورج, كم, نيت, کوم',
  fa: 'کام, نت, آی آر, ایر, کوم, آی‌آر',
  zh: '康姆, 康, 网, 公司, 扣姆, 中国',
  ja: 'コム, ネット, ジェーピー, ジェイピー, こむ, ねっと, じぇーぴー',
  ko: '컴, 넷, 케이알, 닷컴, 닷넷, 콤, 코엠',
  he: 'קום, נט',
  th: 'คอม',
};

/** Top-level domains, the two-letter ones of countries among them. */
export const TOPS = `com net org edu gov mil int info biz name pro io co me dev app ai xyz online site tech store shop cloud email live
  club work works agency studio design media digital team solutions consulting blog page link zone world today news photo photos
  photography art music video travel family fun life love guru expert academy school coach fitness yoga garden kitchen cafe bar
  restaurant pizza wedding events church house homes land property build builders repair clinic care dental health vet pet dog fish
  tv fm gg so to cc ly sh im ac ad ae af ag al am ar at au az ba bd be bg bh bo br by bz ca ch ci cl cm cn cr cu cy cz de
  dk do dz ec ee eg es et eu fi fr ge gh gi gr gt hk hn hr hu id ie il in iq ir is it jm jo jp ke kg kh kr kw kz la lb li
  lk lt lu lv ma mc md mg mk mn mo mt mu mv mx my mz na ng ni nl no np nz om pa pe pg ph pk pl pt py qa ro rs ru rw sa
  sd se sg si sk sl sn st su sv sy th tj tn tr tt tw tz ua ug uk us uy uz va ve vn ws ye za zm zw pbz cat berlin london paris
  nyc tokyo moda space website cool one top vip ltd group company services center help support chat phone ooo social kiwi ink ee lol`;

/** Top-level domains that are words of sentences. */
export const TOPS_COMMON = `in to it is be me us so at no do my am as by go ai co la de es et so one top help work works live name online
  team today news life love fun family art care work travel school house land build fish bar pet dog page link world design store shop
  club media pro cat om pa si se ne id ma na im sh mu st sa hu an il link space cool group company center support chat phone social photo photos
  music video garden kitchen cafe church health events guru expert coach app tv studio site`;

/** Words that announce an email address. */
export const MAIL_CUES: Readonly<Record<string, string>> = {
  latin:
    'email, e-mail, e mail, emails, mail, mails, mailto, inbox, address, addy, mailadresse, adresse, adresa, correo, correo electrónico, courriel, mél, mejla, mejl, mejladress, e-posta, eposta, posta, surel, e-mel, hộp thư, thư, skrzynka, poczta, posta elettronica, mailadres, mejlen, sähköposti, emailem, emaila, emailen, e-maila, mailek, mailme, indirizzo, endereço, dirección, direccion, imel, pochta, mailbox, pošta, email-adresse, email holo',
  ru: 'почта, почту, почте, емейл, имейл, мыло, мылу, емайл, эл почта, электронка, адрес, имэйл, ящик, мейл, почты',
  uk: 'пошта, пошту, скринька, імейл, емейл, адреса, скриньку, мейл',
  hi: 'मेल, ईमेल, ई-मेल, पता, इमेल',
  mr: 'मेल, ईमेल, इमेल, पत्ता',
  bn: 'মেইল, ইমেইল, ই-মেইল, ইমেল, ঠিকানা',
  te: 'మెయిల్, ఈమెయిల్, ఇమెయిల్',
  ta: 'மின்னஞ்சல், மெயில், ஈமெயில், இமெயில்',
  ur: 'ای میل, میل, ایمیل, برقی ڈاک',
  ar: 'بريد, البريد, بريدي, ايميل, إيميل, الايميل, ايميلي, إيميلي, الإيميل, عنواني, الإيميلات',
  fa: 'ایمیل, ایمیلم, رایانامه, پست الکترونیک, آدرس',
  zh: '邮箱, 邮件, 电邮, 邮址, 信箱, 来信, 写信, 寄信, 電郵, 郵箱, 郵件, 信件',
  ja: 'メール, メアド, めーる, アドレス, メルアド, eメール, メアド',
  ko: '메일, 이메일, 메일주소, 이멜, 전자우편',
};

/** Words that ask the reader to get in touch, by whatever means. */
export const CONTACT_CUES: Readonly<Record<string, string>> = {
  latin:
    'write, write me, write to, reach, reach me, contact, ping, message, message me, drop, drop a line, send, find me, hit me up, get me, ask me, dm, dms, dm me, pm me, add me, slide, hmu, text me, talk, direct, directly, privately, escribe, escríbeme, escribeme, escribirme, escribid, contacta, contacto, búscame, buscame, agrégame, respondo, schreib, schreibt, schreiben, melde, meldet, erreichbar, erreichst, kontakt, anschreiben, écrivez, ecrivez, écrivez-moi, contactez, contact, joindre, coordonnées, répondez, scrivi, scrivimi, scrivetemi, contattami, contatti, contattatemi, rispondo, escreva, chama, me chama, chame, fala, fale, contato, contacto, me acha, manda, mande, orçamento, schrijf, stuur, bereik, bereikbaar, skriv, kontakta, nå mig, pisz, napisz, kontakt, yaz, yazın, ulaş, ulaşın, iletişim, hubungi, kontak, kirim, chat, pesan, balas, liên hệ, nhắn, nhắn tin, gửi, inbox, kết bạn, pishi, pishite, likho, likhe, bhejo, ask for, answer, answers, find us, look me up',
  ru: 'пишите, пиши, напишите, связь, связи, связаться, контакт, контакты, обращайтесь, стучите, добавляйтесь, свяжитесь, ищите, найдете, писать, напиши, пишите мне, отвечаю',
  uk: 'пишіть, пиши, напишіть, звʼязок, контакт, контакти, звертайтесь, відповідаю',
  hi: 'लिखें, लिखो, संपर्क, भेजें, लिखिए, सम्पर्क, मैसेज, भेजो',
  mr: 'लिहा, संपर्क, पाठवा, मेसेज',
  bn: 'লিখুন, যোগাযোগ, পাঠান, মেসেজ, লিখবেন',
  te: 'రాయండి, సంప్రదించండి, పంపండి, సంప్రదింపు',
  ta: 'எழுதுங்கள், தொடர்பு, தொடர்புக்கு, அனுப்புங்கள், தொடர்பு கொள்ள',
  ur: 'لکھیں, رابطہ, بھیجیں, لکھ, لکھو, رابطے, میسج',
  ar: 'راسلني, اكتب, اكتبلي, تواصل, للتواصل, راسلوني, التواصل, ارسل, كلمني, راسلونا, راسلنا, تواصلوا, أرسل, ضيفني, أضفني',
  fa: 'بنویسید, پیام, تماس, ارتباط, بفرستید, پیام بدهید, پیام بده',
  zh: '联系, 联系我, 联络, 加我, 找我, 私聊, 私信, 聯繫, 聯絡, 添加, 加好友, 搜我, 来找我, 咨询, 加',
  ja: '連絡, 連絡先, お問い合わせ, ご相談, お気軽に, 直接, 問い合わせ, ご連絡, 追加, 検索, dm, フォロー, ください',
  ko: '연락, 문의, 연락주세요, 추가, 연락처, 문의는, 보내, 주세요, 친추, 디엠',
};
/** "All in one word": what is told of an address whose parts were drawn apart. */
export const GLUE_CUES =
  'tutto attaccato, tudo junto, all together, one word, no spaces, without spaces, without the spaces, ohne leerzeichen, zusammengeschrieben, todo junto, tout attaché, sans espace, sans espaces, слитно, без пробелов, латиницей, латинськими, разом, bitişik, bez spacji, razem, aan elkaar, 英文で, 영문으로, по-английски, remove the spaces, remove spaces, in one word, lower case, lowercase, all lowercase, en minúsculas, minuscole, sem espaços, en un mot, sin espacios, senza spazi, zonder spaties, kleingeschrieben, الإنجليزية, بالحروف الإنجليزية, you get it, you know, second half, first half, second part, the rest, remove the dots, behind it, in front of';
