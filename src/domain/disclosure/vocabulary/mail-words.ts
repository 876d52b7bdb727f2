// Words for the parts of an email address, names of mail services, top-level domains, and words that announce an address or
// ask the reader to get in touch. Commas separate phrases; accents and letter case do not matter.

/** Words for @ that have hardly another meaning beside a name and a domain. */
export const AT_CLEAR = `at sign, at symbol, the at sign, a sign, at the rate, at the rate of, the rate of, at d rate, attherate,
  therate, rate of, arroba, aroba, arrova, arobase, arobas, arrobase, a commercial, chiocciola, chiocciolina,
  ciocciola, klammeraffe, klammeraff, affenschwanz, apenstaartje, apestaartje, apenstaart, apestaart, snabel-a,
  małpa, małpka, malpeczka, zavináč, arond, собака, собачка, собаки, эт, majmunče, мајмунче, кльомба, маймунка,
  равлик, песик, kuyruklu a, et işareti, at işareti, آت, ات ساين, علامة ات, اتساين, ایٹ, ایٹ دی ریٹ, ऐट, एट, ऍट,
  एट द रेट, ऐट द रेट, अ‍ॅट, ॲट, অ্যাট, এট, অ্যাট দ্য রেট, యట్, అట్, ఎట్, అట్ ది రేట్, அட், ஆட், ஆட் த ரேட், 艾特,
  小老鼠, 圈a, 圈 a, 老鼠, アットマーク, アット, あっと, 골뱅이, 앳, 엣, a còng, a vòng, a móc, còng, keong`;

/** Words for @ that are usually ordinary words. */
export const AT_VAGUE = `at, att, ad, et, snail, bei, affe, chez, na, ат, 在`;

/** Words for the dot. */
export const DOT_CLEAR = `dot, a dot, dott, full stop, the dot, punto, pto, puntito, ponto, pontinho, puntino, punkt, pkt, punt, stip,
  kropka, kropeczka, tečka, punct, точка, дот, точечка, tocka, крапка, крапочка, nokta, نقطة, دوت, النقطة, دات,
  ڈاٹ, डॉट, डाट, बिंदु, ডট, বিন্দু, డాట్, டாட், புள்ளி, 点, 點, 奌, ドット, どっと, てん, 점, 쩜, 닷, chấm, titik`;

/** Words for the dot that are usually ordinary words. */
export const DOT_VAGUE = `point, period, decimal, stop, pt, pointe`;

/** Names of mail services without another meaning. */
export const MAIL_CLEAR = `gmail, gmial, gmaill, gmai1, googlemail, google mail, g mail, hotmail, hotmial, hot mail, ymail, protonmail,
  proton mail, gmx, fastmail, tutanota, rediffmail, posteo, icloud, foxmail, yahoo mail, laposte, seznam, okaxis,
  okhdfcbank, t-online, comcast, onet, sapo, uol, джимейл, джимайл, гмейл, рамблер, яндекс почте, укрнет, जीमेल,
  जी मेल, हॉटमेल, জিমেইল, జీమెయిల్, ஜிமெயில், جی میل, جیمیل, هوتميل, 谷歌邮箱, 网易邮箱, 扣扣邮箱, ジーメール, ジーメイル,
  ジーメ, 지메일, 쥐메일, 핫메일, 한메일`;

/** Names of mail services that are also a company, a network or a common word. */
export const MAIL_VAGUE = `yahoo, outlook, aol, zoho, yandex, qq, web, mail, libero, orange, hey, mailbox, naver, live, free, proton, ya,
  inbox, ziggo, telia, tiscali, bol, bk, list, 163, 126, 139, ig, me, wp, email, google, upi, paypal, ok,
  яндекс, мейл, мэйл, почта, укр, мета, याहू, आउटलुक, मेल, ইয়াহু, মেইল, యాహూ, யாஹூ, یاہو, میل, اوتلوك, 雅虎, 网易,
  新浪, ヤフー, アウトルック, やふー, 네이버, 다음, 야후, 카카오`;

/** Top-level domains. */
export const TOPS = `com net org edu gov mil int info biz name pro io co me dev app ai xyz online site tech store shop cloud email
  live club work works agency studio design media digital team solutions consulting blog page link zone world
  today news photo photos photography art music video travel family fun life love guru expert academy school coach
  fitness yoga garden kitchen cafe bar restaurant pizza wedding events church house homes land property build
  builders repair clinic care dental health vet pet dog fish tv fm gg so to cc ly sh im ac ad ae af ag al am ar at
  au az ba bd be bg bh bo br by bz ca ch ci cl cm cn cr cu cy cz de dk do dz ec ee eg es et eu fi fr ge gh gi gr
  gt hk hn hr hu id ie il in iq ir is it jm jo jp ke kg kh kr kw kz la lb li lk lt lu lv ma mc md mg mk mn mo mt
  mu mv mx my mz na ng ni nl no np nz om pa pe pg ph pk pl pt py qa ro rs ru rw sa sd se sg si sk sl sn st su sv
  sy th tj tn tr tt tw tz ua ug uk us uy uz va ve vn ws ye za zm zw pbz cat berlin london paris nyc tokyo moda
  space website cool one top vip ltd group company services center help support chat phone ooo social kiwi ink lol`;

/** Top-level domains that are also common words. */
export const TOPS_COMMON = `in to it is be me us so at no do my am as by go ai co la de es et one top help work works live name online team
  today news life love fun family art care travel school house land build fish bar pet dog page link world design
  store shop club media pro cat om pa si se ne id ma na im sh mu st sa hu an il space cool group company center
  support chat phone social photo photos music video garden kitchen cafe church health events guru expert coach
  app tv studio site`;

/** Words that announce an email address. */
export const MAIL_CUES = `email, e-mail, emails, mail, mails, mailto, inbox, address, addy, mailadresse, adresse, correo, mejla, posta,
  surel, thư, posta elettronica, endereço, mailbox, email holo, почта, почту, почте, мейл, пошта, пошту, скринька,
  адреса, मेल, ईमेल, ई-मेल, মেইল, ইমেইল, మెయిల్, மின்னஞ்சல், மெயில், ای میل, میل, ایمیل, بريد, البريد, بريدي, 邮箱,
  邮件, 电邮, 写信, メール, メアド, めーる, 메일, 이메일, 메일주소`;

/** Words that ask the reader to get in touch, by whatever means. */
export const CONTACT_CUES = `write, write me, write to, reach, reach me, contact, ping, message, message me, drop, drop a line, send,
  find me, hit me up, get me, ask me, dm, dm me, add me, slide, text me, talk, direct, directly, privately,
  escribe, escríbeme, escribirme, contacto, búscame, respondo, schreib, schreibt, schreiben, erreichbar, kontakt,
  écrivez, écrivez-moi, joindre, coordonnées, scrivi, scrivimi, contatti, rispondo, chama, fale, me acha, mande,
  orçamento, stuur, skriv, pisz, yaz, yazın, ulaşın, hubungi, kirim, chat, pesan, balas, nhắn, gửi, inbox,
  kết bạn, pishi, ask for, answer, answers, пишите, пиши, напишите, связи, контакты, отвечаю, пишіть, напишіть,
  लिखें, लिखो, संपर्क, भेजें, लिखिए, লিখুন, যোগাযোগ, రాయండి, எழுதுங்கள், لکھیں, لکھ, راسلني, اكتب, اكتبلي, تواصل,
  للتواصل, راسلوني, بنویسید, پیام, تماس, پیام بدهید, 联系, 联系我, 联络, 加我, 咨询, 加, 連絡, 連絡先, お問い合わせ, ご相談, 直接, ください, 연락,
  문의, 연락주세요, 연락처, 문의는, 주세요`;
